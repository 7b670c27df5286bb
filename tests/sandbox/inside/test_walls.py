"""The walls one by one and together: each holds by itself, and honest code works behind all of them."""

import textwrap
from pathlib import Path

import numpy as np
import pytest

from grader.errors import BadInput, GradeError
from grader.sandbox import forked, proof
from grader.sandbox.command import WALLS, Setting
from grader.sandbox.inside import landlock, seccomp
from grader.sandbox.inside.walls import Walls
from grader.sandbox.inside.wire import STATUS
from grader.sandbox.run import Refused, Runner

ISOLATION = "seccomp+landlock+namespaces"


def tried(*walls):
    """What gets through when these walls alone stand."""
    with Runner(Setting(walls=walls), forks=True) as runner:
        outcome = runner.attempt(proof.task())
        return runner.isolation, set(proof.escapes(outcome))


def test_nothing_gets_through_all_walls():
    """With all walls up every attempt fails."""
    isolation, escapes = tried(*WALLS)
    assert isolation.startswith("seccomp")
    assert not escapes


def test_seccomp_holds_alone():
    """Seccomp needs no other wall."""
    assert tried("seccomp") == ("seccomp", set())


def test_landlock_holds_files_and_signals():
    """Landlock by itself keeps from files, programs and signals to others."""
    isolation, escapes = tried("landlock")
    if isolation != "landlock":
        pytest.skip("no Landlock here")
    held = {"read-file", "write-file", "list-folder", "start-program"}
    held |= {"signal-others"} if landlock.version() >= landlock.SCOPE[0] else set()
    assert not escapes & held


def test_namespaces_leave_an_empty_disk():
    """In namespaces of its own there is no file to be found."""
    isolation, escapes = tried("namespaces")
    if isolation != "namespaces":
        pytest.skip("no namespaces here")
    assert not escapes & {"read-file", "look-at-file", "list-folder", "start-program"}


def test_without_walls_every_attempt_gets_through():
    """The attempts are real: where nothing holds them, they work."""
    isolation, escapes = tried()
    assert isolation == "limits"
    assert escapes >= set(proof.ATTEMPTS) - {"read-others", "trace-others"}  # which a machine may forbid to all


def test_the_label_names_what_stands():
    """The word for the report lists the walls in order; without one it is the limits."""
    assert Walls().label == "limits"
    assert Walls(seccomp=seccomp.Filter(), landlock=7, namespaces=True).label == ISOLATION
    assert Walls(seccomp=seccomp.Filter()).label == "seccomp"


@pytest.mark.parametrize(("offered", "size"), [(1, 8), (2, 8), (3, 8), (4, 16), (5, 16), (6, 24), (7, 24), (99, 24)])
def test_landlock_is_asked_for_no_more_than_it_knows(offered, size):
    """An older kernel refuses rights it does not know: each version is told its own, and a newer one ours."""
    assert len(landlock.attributes(offered)) == size


def test_strangers_are_refused_without_a_wall():
    """Code of others is not run where nothing holds it; one's own is."""
    for forks in (True, False):
        with Runner(Setting(walls=()), forks=forks, strangers=True) as runner, pytest.raises(Refused) as caught:
            runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
        assert (caught.value.code, caught.value.exit_code) == ("no-box", 2)


def test_strangers_are_refused_by_a_box_that_leaks(monkeypatch):
    """A box that says it stands, and does not hold when it is tried, is not believed."""
    monkeypatch.setitem(proof.ATTEMPTS, "compute", "return 1")
    with Runner(strangers=True) as runner, pytest.raises(Refused) as caught:
        runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
    assert (caught.value.code, caught.value.numbers["escapes"]) == ("box-leaks", "compute")


def test_strangers_run_in_a_box_that_holds():
    """Where the walls hold, code of others runs."""
    with Runner(strangers=True) as runner:
        assert runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)[0].ending == "returned"


HONEST = {
    "printing": "print(x, file=sys.stderr); print(f'{x!r:>20}'); return x",
    "warnings": "warnings.warn('careful'); np.log(np.zeros(2)); return x",
    "dataclass": "return dataclasses.make_dataclass('P', ['a', 'b'])(x, 1).a",
    "einsum": "return np.einsum('ij,jk->ik', x, x, optimize=True)",
    "linalg": "return np.linalg.svd(np.random.rand(60, 60))[1] + np.linalg.norm(x) + np.linalg.inv(x).sum()",
    "random": "return np.random.default_rng().normal(size=3) * 0 + random.random() * 0",
    "large product": "return np.ones((300, 300)) @ np.ones((300, 300))",
    "testing": "np.testing.assert_allclose(x, x); return x",
    "masked": "return np.ma.masked_array(x, x > 0).filled(0)",
    "text": "return len('é'.encode('utf-16')) + len(textwrap.dedent(repr(x)))",
    "clocks": "time.sleep(0.001); t = time.perf_counter() + time.process_time(); time.strftime('%c'); return t * 0",
    "traceback": "\n        try: 1 / 0\n        except ZeroDivisionError: traceback.print_exc()\n        return x",
    "source": "return len(inspect.getsource(f)) * 0",
    "nearest": "return len(difflib.get_close_matches('a', ['b']))",
    "decimals": "return float(decimal.Decimal(2).sqrt() + fractions.Fraction(1, 2).numerator) * 0",
    "environment": "return len(os.environ) * 0 + len(os.getcwd())",
    "garbage": "return gc.collect() * 0",
    "recursion": "return (lambda g: g(g, 900))(lambda g, n: n if n == 0 else g(g, n - 1))",
    "regular expressions": "return len(re.findall('a', 'banana'))",
    "hints": "return len(typing.get_type_hints(f))",
    "polynomial": "return np.polynomial.Polynomial([1, 2])(3)",
    "strided": "return np.lib.stride_tricks.sliding_window_view(np.arange(5), 2)",
    "json": "return json.loads(json.dumps([1, 2]))",
    "locks": "\n        with threading.Lock(): return x",
    "doctest": "return doctest.testmod(m=types.ModuleType('m')).attempted",
}


@pytest.mark.parametrize("body", HONEST.values(), ids=HONEST)
def test_honest_code_works_behind_the_walls(ending, body):
    """What learners use works without files, programs or threads."""
    names = "dataclasses, decimal, difflib, doctest, fractions, gc, inspect, json, os, random, re, sys, textwrap"
    source = f"import {names}\nimport threading, time, traceback, types, typing, warnings\nimport numpy as np\n"
    outcome = ending(f"{source}\ndef f(x: int) -> int:\n        {body}\n")
    assert outcome.ending == "returned", outcome


def test_lazy_parts_of_numpy_are_there(ending):
    """What numpy imports only when it is first used was imported before."""
    outcome = ending("""
        import numpy as np
        def f(x):
            lazy = [name for name in dir(np) if not name.startswith("_")]
            return [len([getattr(np, name) for name in lazy if name not in ("matlib", "f2py", "core", "distutils")])]
    """)
    assert outcome.ending == "returned", outcome
    assert outcome.values[0][0] > 400


def test_a_module_that_is_not_there_is_told_with_those_that_are(go):
    """The message names the module and what can be imported instead."""
    for module in ("asyncio", "torch", "multiprocessing.pool"):
        (outcome,) = go(f"import {module}\ndef f(x): return x")
        assert (outcome.ending, outcome.near) in {("import-error", module), ("import-error", module.split(".")[0])}


def test_a_course_allows_more_modules(tmp_path, monkeypatch):
    """A module that is installed beside the grader is there when a course asks for it, and only then."""
    (tmp_path / "special").mkdir()
    (tmp_path / "special" / "__init__.py").write_text("")
    (tmp_path / "special" / "functions.py").write_text("def twice(x): return 2 * x")
    (tmp_path / "secret.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    source = "import special.functions\ndef f(x): return special.functions.twice(x)"
    for forks in (True, False):
        with Runner(Setting(modules=("special.functions",)), forks=forks) as runner:
            assert int(runner.run(source, Path("f.py"), "f", [(2,)], 1)[0].values[0]) == 4
            (outcome,) = runner.run("import secret\ndef f(x): return x", Path("f.py"), "f", [(2,)], 1)
            assert (outcome.ending, outcome.allowed) == ("import-error", ("special.functions",))
    with Runner() as runner:
        assert runner.run(source, Path("f.py"), "f", [(2,)], 1)[0].ending == "import-error"


def test_a_module_that_starts_a_thread_cannot_be_allowed(tmp_path, monkeypatch):
    """A server with a thread is not copied: that is told as a fault of the setting, before anything runs."""
    (tmp_path / "busy.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(9,)).start()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with Runner(Setting(modules=("busy",))) as runner, pytest.raises(GradeError) as caught:
        runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
    assert "thread" in caught.value.numbers["detail"]


@pytest.mark.parametrize("name", ["nothing_like_this", "nothing.like", "../x", "", "a b"])
def test_a_module_that_is_not_installed_cannot_be_allowed(name):
    """Asking for one is a mistake of the course, told before anything runs."""
    with Runner(Setting(modules=(name,))) as runner, pytest.raises(BadInput) as caught:
        runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
    assert caught.value.code == "module-not-installed"


def test_root_is_not_root_inside(ending):
    """Whoever runs the grader, the submission has the rights of nobody and no way back."""
    outcome = ending("""
        import os
        def f(x):
            kept = 0
            for give in (os.setuid, os.setgid, os.seteuid):
                try:
                    give(0)
                    kept += 1
                except OSError:
                    pass
            return [os.getuid(), os.geteuid(), os.getgid(), kept]
    """)
    assert 0 not in outcome.values[0][:3]
    assert outcome.values[0][3] == 0


def test_the_machine_keeps_its_name_to_itself(ending):
    """Neither the host's name nor how the server was started is there to be read, where namespaces stand."""
    outcome = ending("""
        import os, sys
        def f(x): return [os.uname().nodename == "box", len(sys.orig_argv), len(sys.argv)]
    """)
    if outcome.values[0][0] == 0:
        pytest.skip("no namespaces here")
    assert list(outcome.values[0][1:]) == [1, 1]


def test_a_wall_that_does_not_go_up_is_our_fault(monkeypatch):
    """A fork that ends before its walls stand has run nothing: no exit of the submission, but a fault of ours."""
    monkeypatch.setattr(forked, "STATUS", _NotReady)
    with Runner() as runner, pytest.raises(GradeError) as caught:
        runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
    assert caught.value.code == "sandbox-failed"


class _NotReady:
    @staticmethod
    def unpack(message):
        """The same facts, but for the walls."""
        return (*STATUS.unpack(message)[:-1], False)


UNSTEADY = {
    "a counter": ("n = [0]\ndef f(x):\n    n[0] += 1\n    return x + n[0]", "depends-on-earlier-calls"),
    "a default argument": (
        "def f(x, seen=[]):\n    seen.append(1)\n    return x * len(seen)",
        "depends-on-earlier-calls",
    ),
    "a kept array": (
        "a = np.zeros((2, 2))\ndef f(x):\n    global a\n    a += x\n    return a",
        "depends-on-earlier-calls",
    ),
    "fails later": ("n = []\ndef f(x):\n    n.append(1)\n    return x / (len(n) < 3)", "depends-on-earlier-calls"),
    "chance": ("rng = np.random.default_rng()\ndef f(x): return x + rng.random()", "not-deterministic"),
    "seeded chance": ("def f(x): return x + np.random.rand()", ""),
    "a cache": ("import functools\ng = functools.cache(float)\ndef f(x): return x * g(2)", ""),
    "not a number": ("def f(x): return x * np.nan", ""),
}


@pytest.mark.parametrize(("source", "word"), UNSTEADY.values(), ids=UNSTEADY)
def test_state_between_cases_is_noticed(go, source, word):
    """The first case, asked again at the end, shows what earlier calls left; a fresh process tells it from chance."""
    outcomes = go(textwrap.dedent(f"import numpy as np\n{source}"), (np.eye(2),), (np.ones((2, 2)),))
    assert [outcome.unsteady for outcome in outcomes] == [word, ""]


def test_a_process_for_each_case(forking):
    """For finals every case has a process of its own: what an earlier call left is not there."""
    source = "n = []\ndef f(x):\n    n.append(1)\n    return len(n)"
    outcomes = forking.run(source, Path("f.py"), "f", [(1,), (2,), (3,)], 1, per_case=True)
    assert [int(outcome.values[0]) for outcome in outcomes] == [1, 1, 1]
    assert [outcome.unsteady for outcome in outcomes] == [""] * 3
