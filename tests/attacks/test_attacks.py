"""Nothing that a submission does earns a point, tells it a secret or leaves a process; and every attack is real."""

import os
from pathlib import Path

import numpy as np
import pytest

from grader.bank import words
from grader.mark import Marker
from grader.model import Batch, SubmittedFile
from grader.show import json
from tests.attacks.conftest import LOOSE, SECRET, TIGHT, at_rest, collection, with_the_next
from tests.attacks.naive import FAILED, passed

REACH = [(family, name, body) for family, attacks in collection("reach").items() for name, body in attacks.items()]
FORGE, EXCEPTIONS = collection("forge"), collection("exceptions")
IDS = [": ".join(one[:2]) for one in REACH]
REACHING = pytest.mark.parametrize(("name", "body"), [one[1:] for one in REACH], ids=IDS)
HARMFUL = [name for name in EXCEPTIONS if {"steers", "text", "leaves"} & set(name.split())]


def test_there_are_enough_of_them():
    """At least seventy attacks, in every family."""
    assert len(REACH) + len(FORGE) + len(EXCEPTIONS) >= 70
    assert {family for family, _, _ in REACH} == {
        "files", "looking", "environment", "network", "processes", "signals", "limits", "output",
    }  # fmt: skip


@REACHING
def test_nothing_is_reached(box, attempt, name, body):
    """In the box no attempt gets through, and when it is over nothing of it is left."""
    before = at_rest(box)
    through, outcome = attempt(box, body, TIGHT)
    assert not through, outcome
    assert len(with_the_next(before)) <= len(before)
    assert box.run("def f(): return 1", Path("f.py"), "f", [()], 1)[0].ending == "returned"


@REACHING
def test_the_attempts_are_real(no_box, attempt, name, body):
    """With the walls down and generous limits the same attempts get through."""
    through, outcome = attempt(no_box, body, LOOSE)
    if not through and name.endswith("?"):
        pytest.skip("not possible for this user on this machine")
    assert through, outcome


@pytest.fixture(scope="module")
def marked():
    """A way to mark a source as the softmax exercise."""
    with Marker(limits=TIGHT) as marker:

        def marked(source):
            path = Path("01_softmax.py")
            return marker.file(SubmittedFile(path, "function", "softmax", None, source), exercise="softmax")

        yield marked


@pytest.mark.parametrize("name", FORGE)
def test_a_forged_result_earns_nothing(marked, name):
    """No forged result is worth a point, whatever it does to numpy, to Python or to its process."""
    report = marked(FORGE[name])
    assert report.points == 0
    assert report.status != "right"
    assert report.fault is None


def test_an_honest_result_still_earns_its_points(marked):
    """After all of them an honest softmax is right."""
    shifted = "e = np.exp(x - x.max(-1, keepdims=True))"
    source = f"import numpy as np\ndef softmax(x):\n    {shifted}\n    return e / e.sum(-1, keepdims=True)"
    assert marked(source).status == "right"


@pytest.mark.parametrize("name", FORGE)
def test_the_forgeries_are_real(naive, name):
    """Each of them takes all its points from a grader that compares in the submission's process."""
    tried = naive("forge")[name]
    assert any(passed(code, said) for code, said in tried.values()), tried


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_an_exception_harms_nobody(marked, name):
    """Whatever an exception does when it is shown, the case has failed, and the report can be printed."""
    report = marked(EXCEPTIONS[name])
    assert report.points == 0
    assert report.fault is None
    shown = json.dumps(Batch((report,)), words.load())
    assert not _steers(shown.encode().decode("unicode_escape"))


def _steers(text):
    """Whether a text holds characters that steer a terminal or turn the direction of writing."""
    return any(not letter.isprintable() and letter not in "\n\t" for letter in text)


@pytest.mark.parametrize("name", HARMFUL)
def test_the_exceptions_are_real(naive, name):
    """Each of them steers the terminal of a grader that prints it, or ends that grader."""
    code, said = naive("exceptions", "allclose")[name]["allclose"]
    assert code != FAILED or _steers(said), said


LEFT = f"""
import builtins, gc, linecache, os, sys
import numpy as np
kept = "{SECRET}" * 3
builtins.kept = np.kept = os.environ["KEPT"] = sys.modules["kept"] = kept
linecache.cache["kept"] = (1, None, [kept], "kept")
marked = np.full(5000, 1.2345678912345)
def f(x): return marked
"""
LOOK = f"""
import builtins, gc, linecache, os, sys
import numpy as np
def f():
    word = "{SECRET[:8]}" + "{SECRET[8:]}" * 1
    holders = [one for one in gc.get_objects() if isinstance(one, (dict, list, tuple))]
    parts = [part for one in holders for part in (one.values() if isinstance(one, dict) else one)]
    found = sum(isinstance(part, str) and word * 2 in part for part in parts)
    old = np.empty(5000)
    return [found, np.count_nonzero(old == 1.2345678912345), hasattr(np, "kept"), "KEPT" in os.environ]
"""


def test_nothing_of_another_submission_is_there(box):
    """Neither names nor texts nor the freed memory of a submission reach the next one."""
    for _ in range(3):
        assert box.run(LEFT, Path("f.py"), "f", [(np.eye(2),)], 1)[0].ending == "returned"
        (outcome,) = box.run(LOOK, Path("f.py"), "f", [()], 1)
        assert list(outcome.values[0]) == [0, 0, 0, 0]


def test_looking_for_another_submission_is_real(no_box):
    """In one process the same look finds what the other left."""
    both = LEFT + LOOK.replace("def f():", "def g():") + "def f(x): return g()"
    (outcome,) = no_box.run(both, Path("f.py"), "f", [(np.eye(2),)], 1)
    assert outcome.values[0][0] > 0
    assert list(outcome.values[0][2:]) == [1, 1]


def test_the_server_holds_nothing_of_submissions(no_box):
    """After many runs the server's memory has no copy of a source, of what went in or of what came out."""
    word = f"unmistakable-{os.getpid() ** 3}"
    array = np.array([1.98765432101, 2.98765432101])
    source = f"import numpy as np\nkept = '{word}'\ndef f(x): return x * 3.5"
    for _ in range(10):
        no_box.run(source, Path("f.py"), "f", [(array,)], 1)
    server, grader = no_box._kind._server.process.pid, os.getpid()
    searched = (word.encode(), array.tobytes(), (array * 3.5).tobytes())
    assert [_copies(server, one) for one in searched] == [0, 0, 0]
    assert all(_copies(grader, one) for one in searched[:2])


def _copies(pid, needle):
    """How often some bytes stand in the writable memory of a process."""
    count = 0
    with Path(f"/proc/{pid}/maps").open() as maps, Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in maps:
            span, may, *_ = line.split()
            start, end = (int(part, 16) for part in span.split("-"))
            if may.startswith("rw") and end - start < 2**28:
                memory.seek(start)
                try:
                    count += memory.read(end - start).count(needle)
                except OSError:
                    continue
    return count
