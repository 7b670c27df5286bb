"""Attempts to earn points without computing: each ends as a failed case of that submission, and no other."""

import os
import struct
import textwrap
from pathlib import Path

import numpy as np
import pytest

from grader.model import Limits
from tests.patience import no_hang

SHORT = Limits(wall=1.0, cpu=5.0)
FINE = "def f(x): return x"
FORGE = struct.pack("<BIQ", 5, 12345, 3) + b"\0\1\0"


@pytest.fixture
def cheat(go_either):
    """The endings of a source's three cases, after which an honest submission still runs."""

    def cheat(source, **more):
        outcomes = go_either(source, *[(k * np.eye(2),) for k in (1, 2, 3)], limits=SHORT, **more)
        assert go_either(FINE)[0].ending == "returned"
        return outcomes

    return cheat


def refused(outcome):
    """Whether a case failed without giving any value."""
    return outcome.ending != "returned" and outcome.values == ()


def test_printing_a_result(cheat):
    """What is printed, in whatever form, is only shown."""
    source = f"import sys\ndef f(x):\n    sys.stdout.buffer.write({FORGE!r})\n    print('returned [[1, 1]]')"
    assert all(refused(outcome) and outcome.error == "none" for outcome in cheat(source))


@pytest.mark.parametrize("descriptor", ["3", "4"])
@pytest.mark.parametrize("what", [b"garbage, and more of it" * 3, FORGE, struct.pack("<BIQ", 5, 0, 2**60), b"\0"])
def test_writing_to_the_channel(forking, spawning, descriptor, what):
    """Bytes on the channel that are no answer to the question cost the case and nothing else."""
    runner = forking if descriptor == "3" else spawning
    source = f"import os\ndef f(x):\n    if x == 2: os.write({descriptor}, {what!r})\n    return x"
    outcomes = runner.run(source, Path("f.py"), "f", [(1,), (2,), (3,)], 1, SHORT)
    assert [outcome.ending for outcome in outcomes] == ["returned", "wrong-return", "returned"]
    assert outcomes[1].error == "protocol"


def test_writing_to_the_channel_while_loading(forking):
    """Answers before the first question are no answers."""
    source = f"import os\nos.write(3, {FORGE * 3!r})\n{FINE}"
    outcomes = forking.run(source, Path("f.py"), "f", [(1,), (2,)], 1, SHORT)
    assert [outcome.error for outcome in outcomes] == ["protocol"] * 2


def test_flooding_the_channel(forking):
    """An endless stream of bytes is cut off at the first one that is wrong."""
    source = "import os\ndef f(x):\n    while True: os.write(3, bytes(10**6))"
    with no_hang():
        outcomes = forking.run(source, Path("f.py"), "f", [(1,), (2,)], 1, SHORT)
    assert [outcome.error for outcome in outcomes] == ["protocol"] * 2


def test_answering_before_the_question(go):
    """A forged answer to the running case is that case's answer; a second one, for the next case, is refused."""
    source = """
        import sys
        def f(x):
            frame = sys._getframe()
            while type(session := frame.f_locals.get("self")).__name__ != "Session":
                frame = frame.f_back
            forged = bytes([0, 1, 4, 0]) + (9).to_bytes(8, "little")
            session.channel.send(5, session.request, forged)
            session.channel.send(5, session.request + 1, forged)
            return x
    """
    first, second = go(source, (1,), (2,), limits=SHORT)
    assert first.values[0] == 9  # it could have returned 9 as well
    assert (second.ending, second.error) == ("wrong-return", "protocol")


def test_closing_the_channel(forking):
    """A process that hangs up and goes on is killed."""
    source = "import os\ndef f(x):\n    os.close(3)\n    while True: pass"
    (outcome,) = forking.run(source, Path("f.py"), "f", [(1,)], 1, SHORT)
    assert (outcome.ending, outcome.error) == ("wrong-return", "protocol")


def test_leaving_with_a_good_exit_code(cheat):
    """Exit code 0 is no result."""
    assert all(outcome.ending == "exit" for outcome in cheat("import os\ndef f(x): os._exit(0)"))
    assert all(outcome.ending == "exit" for outcome in cheat("import os\nos._exit(0)"))


def test_patching_numpy(cheat):
    """Another numpy in the process changes nothing of what the grader reads."""
    source = """
        import numpy as np
        always = lambda *a, **k: True
        for name in ("asarray", "array", "allclose", "array_equal", "isclose", "errstate", "frombuffer", "ndarray"):
            setattr(np, name, always)
        def f(x): return x
    """
    assert [float(outcome.values[0][0, 0]) for outcome in cheat(source)] == [1, 2, 3]


def test_replacing_builtins(cheat):
    """Other builtins may break the submission's own process; nothing that is no array comes of it."""
    source = """
        import builtins
        for name in ("isinstance", "len", "getattr", "hasattr", "all", "any", "sum"):
            setattr(builtins, name, lambda *a, **k: True)
        def f(x): return "right"
    """
    assert all(refused(outcome) for outcome in cheat(source))


def test_replacing_what_sends(cheat):
    """Without its means to answer, a process gives no answer."""
    source = "import os\nos.write = lambda *a: 10**9\nos.read = os.write\ndef f(x): return x"
    assert all(refused(outcome) for outcome in cheat(source))


@pytest.mark.parametrize(
    "body",
    [
        "__eq__ = __le__ = __ge__ = lambda *a: True",
        "def __array_function__(self, *a): return True",
        "def __array_ufunc__(self, *a, **k): return True",
        "def tobytes(self, *a): return bytes(32)",
        "shape = property(lambda self: (2, 2))",
        "dtype = property(lambda self: __import__('numpy').dtype('f8'))",
    ],
)
def test_arrays_that_lie(cheat, body):
    """A subclass of an array loses its ways before it is read."""
    source = f"""
        import numpy as np
        class Liar(np.ndarray):
            {body}
        def f(x): return (7 * np.ones((2, 2))).view(Liar)
    """
    for outcome in cheat(source):
        assert type(outcome.values[0]) is np.ndarray
        np.testing.assert_array_equal(outcome.values[0], 7 * np.ones((2, 2)))


def test_an_object_that_equals_everything(cheat):
    """An object that says yes to all is no array."""
    source = """
        class Yes:
            def __getattr__(self, name): return self
            def __call__(self, *a, **k): return self
            def __eq__(self, other): return True
            def __float__(self): return 1.0
            def __bool__(self): return True
        def f(x): return Yes()
    """
    assert all(refused(outcome) for outcome in cheat(source))


def test_looking_for_the_next_cases(go_without_walls):
    """The arguments of a later case are nowhere in the process while an earlier one runs."""
    source = """
        import gc
        def f(x):
            with open("/proc/self/maps") as maps:
                spans = [line.split()[:2] for line in maps if "[v" not in line]
            found = 0
            with open("/proc/self/mem", "rb") as memory:
                for span, may in spans:
                    start, end = (int(part, 16) for part in span.split("-"))
                    if may.startswith("rw") and end - start < 2**28:
                        memory.seek(start)
                        found += memory.read(end - start).count(x[0, 0].tobytes() + (x[0, 0] * 3).tobytes())
            return [found]
    """
    marked = [np.array([[1.23456789, 1.23456789 * 3]]), np.array([[9.87654321, 9.87654321 * 3]])]
    looked = source.replace("x[0, 0]", "np.float64(9.87654321)").replace("import gc", "import gc, numpy as np")
    first, second = go_without_walls(looked, (marked[0],), (marked[1],))
    assert int(first.values[0][0]) == 0
    assert int(second.values[0][0]) > 0


def alive(pid):
    """Whether a process runs (a dead one that nobody has collected does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("how", ["", "start_new_session=True"])
def test_programs_that_were_started_are_killed(plain, how):
    """Nothing that a submission started outlives it, not even in a session of its own."""
    source = f"import subprocess\ndef f():\n    return [subprocess.Popen(['sleep', '1000'], {how}).pid]"
    (outcome,) = plain.run(source, Path("f.py"), "f", [()], 1, SHORT)
    pid = int(outcome.values[0][0])
    assert pid != os.getpid()
    assert not alive(pid)


def test_forks_in_a_row_are_killed(plain):
    """A fork of a fork that left its parents behind is found and killed."""
    source = """
        import os, time
        def f():
            end, start = os.pipe()
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    os.setsid()
                    os.write(start, str(os.getpid()).encode())
                    time.sleep(1000)
                os._exit(0)
            return [int(os.read(end, 100))]
    """
    (outcome,) = plain.run(textwrap.dedent(source), Path("f.py"), "f", [()], 1, SHORT)
    assert not alive(int(outcome.values[0][0]))


def test_answering_twice_by_a_fork(go_either):
    """A fork that answers too is one answer too many, for the submission alone."""
    outcomes = go_either("import os\ndef f(x):\n    os.fork()\n    return x", (1,), (2,), (3,), limits=SHORT)
    for argument, outcome in zip((1, 2, 3), outcomes, strict=True):
        assert outcome.values == (argument,) or refused(outcome)
    assert go_either(FINE)[0].ending == "returned"


@pytest.mark.parametrize("source", ["os.kill(os.getpid(), signal.SIGSTOP)", "os.killpg(0, signal.SIGKILL)"])
def test_stopping_oneself(cheat, source):
    """A process that stops or kills itself, or its group, gives no result."""
    assert all(refused(outcome) for outcome in cheat(f"import os, signal\ndef f(x): {source}"))
