"""Work shared by several processes: in order, bounded, repeated once when a process dies, and gone with the grader."""

import os
import pickle
import signal
import struct
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from grader.errors import BadInput, GradeError
from grader.model import Limits
from grader.sandbox.pool import Pool
from grader.sandbox.run import Runner
from tests.attacks.conftest import at_rest, descendants
from tests.conftest import ROOT

HERE = "tests.sandbox.test_pool"


@contextmanager
def squares(setup):
    """Gives the square of a task and the process that did it; some tasks end it."""

    def work(task):
        if task == "die" or (task == "die once" and not Path(setup).exists()):
            Path(setup).touch()
            os._exit(1)
        if task == "fault":
            raise BadInput("file-missing", name="x", file=Path("a.md"), line=3)
        if task == "ours":
            raise ValueError("a bug")
        if task == "print":
            os.write(1, b"to nobody")
            return 0
        return (task * task, os.getpid()) if isinstance(task, int) else 7

    yield work


def test_results_come_in_order_from_several_processes(tmp_path):
    """All tasks are done once, by as many processes as asked for, and told in order."""
    with Pool(f"{HERE}:squares", str(tmp_path / "x"), jobs=2) as pool:
        results = list(pool.map(range(40)))
    assert [square for square, _ in results] == [number * number for number in range(40)]
    pids = {pid for _, pid in results}
    assert len(pids) == 2
    assert os.getpid() not in pids


def test_no_more_is_taken_than_is_needed(tmp_path):
    """Tasks are drawn as results are used: a large class is never in memory as a whole."""
    drawn = []
    with Pool(f"{HERE}:squares", "", jobs=1) as pool:
        results = pool.map(drawn.append(number) or number for number in range(1000))
        next(results)
        assert len(drawn) <= 3


def test_a_process_that_dies_is_replaced_and_its_task_repeated(tmp_path):
    """A death under a task costs nothing: the task is done again, and the others go on."""
    with Pool(f"{HERE}:squares", str(tmp_path / "died"), jobs=2) as pool:
        assert [result if result == 7 else result[0] for result in pool.map([1, "die once", 2, 3])] == [1, 7, 4, 9]


def test_a_task_that_always_kills_is_our_fault_and_the_only_one(tmp_path):
    """After two deaths the task's result is a fault of ours, never a mark."""
    with Pool(f"{HERE}:squares", str(tmp_path / "died"), jobs=2) as pool:
        first, killed, last = pool.map([1, "die", 2])
    assert (first[0], last[0]) == (1, 4)
    assert isinstance(killed, GradeError)
    assert (killed.code, killed.exit_code) == ("worker-failed", 3)


def test_faults_travel_with_all_they_hold(tmp_path):
    """A fault of the input comes back as it was raised; any other error is ours, told with its kind."""
    with Pool(f"{HERE}:squares", "", jobs=1) as pool:
        fault, ours, printed = pool.map(["fault", "ours", "print"])
    assert isinstance(fault, BadInput)
    assert (fault.code, fault.numbers, fault.file, fault.line) == ("file-missing", {"name": "x"}, Path("a.md"), 3)
    assert (ours.code, ours.numbers["detail"]) == ("worker-failed", "ValueError: a bug")
    assert printed == 0


def test_nothing_is_left_of_a_pool():
    """When the pool is closed in the middle its processes are gone."""
    before = descendants(os.getpid())
    with Pool(f"{HERE}:squares", "", jobs=2) as pool:
        next(pool.map(range(100)))
        assert len(descendants(os.getpid()) - before) == 2
    assert descendants(os.getpid()) <= before


def worker(*said, reader=subprocess.PIPE):
    """A worker's process, told these things before it has begun: its exit code and what it says of errors."""
    told = b"".join(struct.pack("<Q", len(data)) + data for data in map(pickle.dumps, said))
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from grader.sandbox.pool import serve; serve()"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, input=told, stdout=reader, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr.decode()


def test_a_worker_whose_grader_has_ended_before_it_got_its_order_says_nothing():
    """As when Ctrl-C comes while the workers are being started."""
    assert worker() == (0, "")


def test_a_worker_that_nobody_hears_any_more_says_nothing():
    """As when the grader ends while a task is being done."""
    reader, writer = os.pipe()
    os.close(reader)
    order = (f"{HERE}:squares", "", os.getpid(), 0)

    assert worker(order, 3, 4, reader=writer) == (0, "")
    os.close(writer)


def test_a_pool_that_cannot_be_started_leaves_none_of_its_processes(monkeypatch):
    """Ctrl-C after the first of several."""
    started = []

    def fresh(self, place):
        if started:
            raise KeyboardInterrupt
        started.append(original(self, place))
        return started[0]

    original = Pool._fresh
    monkeypatch.setattr(Pool, "_fresh", fresh)
    with pytest.raises(KeyboardInterrupt):
        Pool(f"{HERE}:squares", "", jobs=2)

    assert started[0].process.returncode is not None


# --- runs of submissions ---------------------------------------------------------------------------------------

GOOD = "import numpy as np\ndef f(x): return x * 2"
HOSTILE = [
    "import os\ndef f(x): os._exit(0)",
    "def f(x): raise ValueError('x' * 10**6)",
    "def f(x): return x.nothing",
    "import numpy as np\ndef f(x): return np.ones((10**5, 10**5))",
    "print('x' * 10**6)\ndef f(x): return None",
    "def f(x):",
    "import os\ndef f(x):\n    while True: os.write(3, bytes(1000))",
    "import os\ndef f(x): return os.fork()",
    "import signal\ndef f(x): signal.raise_signal(signal.SIGSEGV)",
]
CASES = [(k * np.eye(3),) for k in range(1, 6)]


@contextmanager
def running(_setup):
    """Runs a source on some cases in a box."""
    with Runner(strangers=True) as runner:
        yield lambda source: [one.ending for one in runner.run(source, Path("f.py"), "f", CASES, 1, Limits(wall=1.0))]


def resident(pid):
    """KiB of memory of a process."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0])


def test_many_good_and_hostile_submissions_leave_no_trace():
    """After a hundred mixed submissions there is no more memory, no descriptor and no process than after twenty."""
    with Runner(strangers=True) as runner:

        def some(count):
            for place in range(count):
                source = GOOD if place % 2 else HOSTILE[place // 2 % len(HOSTILE)]
                endings = [one.ending for one in runner.run(source, Path("f.py"), "f", CASES, 1, Limits(wall=1.0))]
                assert (endings == ["returned"] * 5) == (source == GOOD)
            pids = sorted(at_rest(runner))
            memory = [resident(pid) for pid in (os.getpid(), *pids)]
            return len(pids), len(list(Path("/proc/self/fd").iterdir())), memory

        pids, descriptors, memory = some(20)
        after_pids, after_descriptors, after = some(100)
    assert (after_pids, after_descriptors) == (pids, descriptors)
    assert all(late - early < 8 * 1024 for early, late in zip(memory, after, strict=True))


KILLED = f"""
import sys
from grader.sandbox.pool import Pool
slow = "import time\\ndef f(x):\\n    time.sleep(0.02)\\n    return x"
with Pool("{HERE}:running", None, jobs=2) as pool:
    print("started", flush=True)
    for result in pool.map([slow] * 1000):
        print(result[0], flush=True)
"""


@pytest.mark.parametrize("chunk", range(4))
def test_nothing_is_left_when_the_grader_is_killed(chunk):
    """A grader killed at any moment, twenty of them in all, leaves nothing behind after a second."""
    root = Path(__file__).parents[2]
    graders = []
    for place in range(5):
        grader = subprocess.Popen(
            [sys.executable, "-c", KILLED],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert grader.stdout.readline() == b"started\n"
        moment = np.random.default_rng(5 * chunk + place).uniform(0, 1.5)
        time.sleep(moment)
        below = descendants(grader.pid)
        assert below
        grader.send_signal(signal.SIGKILL)
        grader.wait()
        grader.stdout.close()
        graders.append((time.monotonic() + 1, below))
    for until, below in graders:
        while any(map(_runs, below)) and time.monotonic() < until:
            time.sleep(0.01)
        assert not [pid for pid in below if _runs(pid)]


def _runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextmanager
def processors(_setup):
    """Tells where this process may run."""
    yield lambda _: sorted(os.sched_getaffinity(0))


def test_the_workers_are_spread_over_the_processors():
    """Each keeps to one processor, as what it starts waits for it and it for that; no two share one that need not."""
    there = sorted(os.sched_getaffinity(0))
    with Pool(f"{HERE}:processors", None, jobs=len(there)) as pool:
        found = list(pool.map(range(8 * len(there))))
    assert all(len(one) == 1 for one in found)
    assert {one[0] for one in found} <= set(there)
    assert len({one[0] for one in found}) > (len(there) > 1)
