"""The server and the grader end together: no process stays behind, however the grader ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.sandbox.command import WALLS
from grader.sandbox.run import Runner, Setting

ROOT = Path(__file__).parents[2]
LOOP = """
import os, sys
from pathlib import Path
from grader.model import Limits
from grader.sandbox.run import Runner, Setting
source = "import os\\nopen({file!r}, 'w').write(f'{{os.getpid()}} {{os.getppid()}}')\\nwhile True: pass"
with Runner(Setting(walls={walls}), forks={forks}) as runner:
    runner.run(source, Path("f.py"), "f", [()], 1, Limits(wall=60.0, cpu=60.0))
"""


def gone(pid):
    """Whether a process ends within a few seconds."""
    for _ in range(200):
        if state(pid) in "ZX":
            return True
        time.sleep(0.02)
    return False


def state(pid):
    """The letter of what a process is doing, as the kernel tells it; X for one that is no more."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "X"


def written(file):
    """The numbers in a file, once they are there."""
    for _ in range(500):
        if file.exists() and len(file.read_text().split()) == 2:
            return [int(part) for part in file.read_text().split()]
        time.sleep(0.02)
    pytest.fail("the submission did not start")


@pytest.mark.parametrize(
    ("forks", "how", "code"),
    [(True, signal.SIGINT, -2), (False, signal.SIGINT, -2), (True, signal.SIGTERM, -15), (True, signal.SIGKILL, -9)],
)
def test_nothing_is_left_when_the_grader_ends(tmp_path, forks, how, code):
    """Ctrl-C, a termination and even a kill of the grader take the submission and the server with it."""
    file = tmp_path / "pids"
    grader = subprocess.Popen(
        [sys.executable, "-c", LOOP.format(file=str(file), forks=forks, walls=())],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stderr=subprocess.DEVNULL,
    )
    try:
        submission, server = written(file)
        grader.send_signal(how)
        assert grader.wait(20) == code
    finally:
        grader.kill()
        grader.wait()
    assert gone(submission)
    assert not forks or gone(server)


def test_closing_ends_the_server():
    """After the runner is closed its server is no more."""
    with Runner(forks=True) as runner:
        runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
        pid = runner._kind._server.process.pid
        assert Path(f"/proc/{pid}").exists()
    assert gone(pid)


@pytest.mark.parametrize("walls", [WALLS, ()])
def test_between_submissions_only_the_next_process_is_there(walls):
    """When a run is over, nothing of it is left, not even a dead process; one that has run nothing waits."""
    with Runner(Setting(walls=walls), forks=True) as runner:
        runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
        server = runner._kind._server.process.pid
        if runner.isolation.endswith("namespaces"):  # there the one outside waits for the one inside
            (server,) = only(server)
        (waiting,) = only(server)
        runner.run("import os\ndef f(): os.abort()", Path("f.py"), "f", [()], 1)
        assert gone(waiting)
        (next_one,) = only(server)
        assert next_one != waiting


def test_what_waits_ends_with_the_server():
    """A process that was made ahead and never used is gone when the runner is closed."""
    with Runner(Setting(walls=()), forks=True) as runner:
        runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
        server = runner._kind._server.process.pid
        (waiting,) = only(server)
    assert gone(server)
    assert gone(waiting)


def only(pid):
    """The one living child of a process, once it has just one."""
    for _ in range(200):
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if len(found) == 1 and state(found[0]) not in "ZX":
            return [int(found[0])]
        time.sleep(0.01)
    pytest.fail(f"children: {found}")


def test_no_descriptor_is_left_open(forking):
    """Many runs leave the grader with the descriptors it had."""
    source = "import os\ndef f(): os._exit(1)"
    forking.run(source, Path("f.py"), "f", [()], 1)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        forking.run(source, Path("f.py"), "f", [(), ()], 1)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_the_folder_of_a_run_is_removed(plain):
    """What a submission writes into its folder is gone after the run."""
    source = "import os\nopen('x', 'w').write('1')\ndef f(): raise ValueError(os.getcwd())"
    (outcome,) = plain.run(source, Path("f.py"), "f", [()], 1)
    assert Path(outcome.message).is_absolute()
    assert not Path(outcome.message).exists()
