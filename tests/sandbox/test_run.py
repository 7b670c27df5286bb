"""Running a submission: arguments in, arrays out, case by case, both ways to have a process."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.errors import GradeError
from grader.model import Limits
from grader.sandbox import command, forked
from grader.sandbox.run import Runner, Setting, run

RIGHT = """
    import numpy as np

    def f(x, mask=None, heads=1):
        return x * heads if mask is None else np.where(mask, x, -np.inf)
"""


def test_each_case_gives_its_own_arrays(go_either):
    """Arguments go in by position and the result comes back, for every case in order."""
    cases = [
        (np.arange(6.0).reshape(2, 3),),
        (np.eye(2), np.array([[True, False], [True, True]])),
        (np.eye(2), None, 3),
    ]
    first, second, third = go_either(RIGHT, *cases)
    assert [first.ending, second.ending, third.ending] == ["returned"] * 3
    np.testing.assert_array_equal(first.values[0], np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(second.values[0], [[1, -np.inf], [0, 1]])
    np.testing.assert_array_equal(third.values[0], 3 * np.eye(2))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "int64", "uint8", "float16", "float32", "float64"])
def test_arguments_keep_their_type(go, dtype):
    """An array arrives with the type and the shape it had, whatever its layout in memory."""
    array = np.asfortranarray(np.arange(12).reshape(3, 4)).astype(dtype)
    (outcome,) = go("def f(x): return x", (array,))
    assert outcome.values[0].dtype == array.dtype
    np.testing.assert_array_equal(outcome.values[0], array)


def test_arguments_of_any_rank(go):
    """Rank 0 and empty arrays and arrays that are views arrive as they are."""
    arrays = [np.array(2.5), np.empty((0, 3)), np.arange(24.0).reshape(2, 3, 4)[:, ::-1, ::2]]
    for outcome, array in zip(go("def f(x): return x", *[(array,) for array in arrays]), arrays, strict=True):
        assert outcome.values[0].shape == array.shape
        np.testing.assert_array_equal(outcome.values[0], array)


def test_a_read_only_array_arrives_read_only(go_either):
    """Writing into it is an exception of the submission's own; into any other array it is seen."""
    written = np.zeros(2)
    kept = np.zeros(2)
    kept.flags.writeable = False
    first, second = go_either("def f(x):\n    x[0] = 1\n    return x", (kept,), (written,))
    assert (first.ending, first.error) == ("exception", "ValueError")
    assert (second.ending, second.inputs_changed) == ("returned", (0,))


def test_a_held_submission_is_loaded_once(either):
    """Batch after batch goes to the same process."""
    source = "import numpy as np\ndrawn = np.random.default_rng().random()\ndef f(x):\n    return x * 0 + drawn\n"
    with either.hold(source, Path("a.py"), "f", 1) as ask:
        batches = [ask([(np.zeros(1),)] * 2) for _ in range(2)]
    assert len({float(outcome.values[0][0]) for batch in batches for outcome in batch}) == 1


def test_a_held_submission_that_dies_is_loaded_again(either):
    """A case that ends the process costs that case alone, in whichever batch it comes."""
    source = "import os\ndef f(x):\n    if x[0]:\n        os._exit(3)\n    return x\n"
    with either.hold(source, Path("a.py"), "f", 1) as ask:
        endings = [outcome.ending for case in (0.0, 1.0, 0.0) for outcome in ask([(np.full(1, case),)])]
    assert [ending == "returned" for ending in endings] == [True, False, True]


def test_a_held_submission_can_be_asked_alone(either):
    """Each case in a fresh process; what is asked after that goes on in the last of them."""
    source = "n = []\ndef f(x):\n    n.append(1)\n    return x * 0 + len(n)\n"
    cases = [(np.zeros(1),)] * 2
    with either.hold(source, Path("a.py"), "f", 1) as ask:
        batches = [ask(cases), ask(cases), ask(cases, alone=True), ask(cases, alone=True), ask(cases), ask(cases)]
    counts = [[int(outcome.values[0][0]) for outcome in batch] for batch in batches]
    assert counts[2:] == [[1, 1], [1, 1], [2, 3], [4, 5]]


def test_results_are_plain_arrays_of_ours(go):
    """What comes back is an exact ndarray that owns its memory and can be written to."""
    (outcome,) = go("import numpy as np\ndef f(x): return np.matrix(x)")
    assert type(outcome.values[0]) is np.ndarray
    assert outcome.values[0].flags.writeable


def test_several_values(go_either):
    """Two returned values are two arrays, in order."""
    (outcome,) = go_either("def f(x): return x, x + 1", returns=2)
    np.testing.assert_array_equal(outcome.values[0], np.eye(2))
    np.testing.assert_array_equal(outcome.values[1], np.eye(2) + 1)


def test_no_cases_run_nothing(go, forking):
    """Without a case there is no outcome."""
    assert forking.run("import nothing_like_this", Path("f.py"), "f", [], 1) == ()


def test_each_call_gets_fresh_copies(go):
    """Changing an argument is noticed, by its index, and does not reach the next case."""
    source = "def f(x, y, z):\n    y -= 1\n    return x + y"
    same = (np.eye(2), np.zeros((2, 2)), np.ones(3))
    first, second = go(source, same, same)
    assert first.inputs_changed == second.inputs_changed == (1,)
    np.testing.assert_array_equal(first.values[0], second.values[0])
    np.testing.assert_array_equal(same[1], np.zeros((2, 2)))


def test_a_changed_shape_is_a_change(go):
    """Giving an argument another shape in place counts as changing it."""
    source = "import warnings\nwarnings.simplefilter('ignore')\ndef f(x):\n    x.shape = (4,)\n    return x"
    (outcome,) = go(source)
    assert outcome.inputs_changed == (0,)


def test_returning_the_argument_is_no_change(go):
    """A function that hands its argument back has changed nothing."""
    (outcome,) = go("def f(x): return x")
    assert outcome.inputs_changed == ()


def test_prints_belong_to_their_case(go_either):
    """Each case shows what it printed, on stdout and stderr; the file's own prints come with the first case."""
    source = """
        import sys
        print("loading")
        def f(x):
            print("é", int(x[0, 0]))
            print("careful", file=sys.stderr)
            return x
    """
    first, second = go_either(source, (np.eye(2),), (2 * np.eye(2),))
    assert first.output == "loading\né 1\ncareful\n"
    assert second.output == "é 2\ncareful\n"


def test_prints_are_cut_and_cost_nothing(go_either):
    """Printing far too much is cut, the result still counts, and the next case has its full share again."""
    source = "def f(x):\n    print('a' * 100_000)\n    return x"
    first, second = go_either(source, (np.eye(2),), (np.eye(2),), limits=Limits(output=1000))
    assert first.ending == second.ending == "returned"
    assert first.output == second.output == "a" * 1000


def test_prints_cannot_steer_a_terminal(go):
    """Control characters and direction marks are replaced before anyone shows them."""
    (outcome,) = go("def f(x):\n    print('\\x1b[31mred\\u202e\\x00 ok')\n    return x")
    assert outcome.output == "\ufffd[31mred\ufffd\ufffd ok\n"


def test_prints_of_bytes_that_are_no_text(go):
    """Bytes that are no UTF-8 are replaced."""
    (outcome,) = go("import sys\ndef f(x):\n    sys.stdout.buffer.write(b'\\xff\\n')\n    return x")
    assert outcome.output == "\ufffd\n"


def test_closing_stdout_costs_nothing(go):
    """Code that closes or replaces stdout still gives its result."""
    (outcome,) = go("import sys\ndef f(x):\n    sys.stdout.close()\n    sys.stderr = None\n    return x")
    assert outcome.ending == "returned"


def test_random_numbers_are_the_same_in_every_run(go):
    """Both random modules start each case from the same seed, so a run can be repeated."""
    source = "import random, numpy as np\ndef f(x): return [random.random(), np.random.rand()]"
    first, second = go(source, (np.eye(2),), (np.eye(2),))
    (again,) = go(source)
    np.testing.assert_array_equal(first.values[0], second.values[0])
    np.testing.assert_array_equal(first.values[0], again.values[0])


def test_hashes_are_the_same_in_every_run(go_either):
    """The order of a set of strings does not change from run to run."""
    source = "def f(x): return [hash('query') % 1000]"
    (outcome,), (again,) = go_either(source), go_either(source)
    assert outcome.values[0] == again.values[0]


def test_submissions_do_not_see_each_other(go_without_walls):
    """What one submission leaves in modules, builtins and its folder is not there for the next."""
    leave = """
        import builtins, numpy, os
        builtins.left = numpy.left = 1
        open("left", "w").write("1")
        os.environ["LEFT"] = "1"
        def f(x): return x
    """
    look = """
        import builtins, numpy, os
        def f(x):
            return [hasattr(builtins, "left"), hasattr(numpy, "left"), os.path.exists("left"), "LEFT" in os.environ]
    """
    assert go_without_walls(leave)[0].ending == "returned"
    np.testing.assert_array_equal(go_without_walls(look)[0].values[0], [False] * 4)


def test_state_lives_through_the_cases_of_one_submission(go):
    """The file is loaded once for all its cases."""
    source = "seen = []\ndef f(x):\n    seen.append(1)\n    return [len(seen)]"
    assert [int(outcome.values[0][0]) for outcome in go(source, *[(np.eye(2),)] * 3)] == [1, 2, 3]


def test_the_server_is_reused(forking):
    """Many submissions use one server."""
    source = "import os\ndef f(): return [os.getppid()]"
    parents = {int(forking.run(source, Path("f.py"), "f", [()], 1)[0].values[0][0]) for _ in range(3)}
    assert len(parents) == 1
    assert parents != {os.getpid()}


def test_a_spawned_process_is_new_for_each_submission(spawning):
    """Where forks are not safe, every submission has a process of its own."""
    source = "import os\ndef f(): return [os.getpid()]"
    assert len({int(spawning.run(source, Path("f.py"), "f", [()], 1)[0].values[0][0]) for _ in range(3)}) == 3


@pytest.mark.parametrize(
    "module", ["solutions", "grader", "problem_bank", "inside", "child", "click", "yaml", "pytest"]
)
def test_only_python_and_numpy_can_be_imported(go_either, module):
    """Neither our packages nor those installed beside numpy are found."""
    (outcome,) = go_either(f"import {module}\ndef f(x): return x")
    assert (outcome.ending, outcome.near) == ("import-error", module)


def test_our_packages_stay_out_of_reach_from_the_repository(tmp_path):
    """The grader's own working folder and PYTHONPATH do not reach the process."""
    root = Path(__file__).parents[2]
    code = (
        "from grader.sandbox.run import run; from pathlib import Path\n"
        "print(run('import solutions', Path('f.py'), 'f', [()], 1)[0].ending)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "import-error\n"


def test_a_package_installed_beside_numpy_stays_out_of_reach(tmp_path, monkeypatch):
    """An installed copy of the solutions, or a path file of an editable install, is not found."""
    (tmp_path / "numpy").symlink_to(Path(np.__file__).parent)
    (tmp_path / "numpy.libs").symlink_to(Path(np.__file__).parents[1] / "numpy.libs")
    (tmp_path / "solutions.py").write_text("secret = 1")
    (tmp_path / "editable.pth").write_text(str(Path(__file__).parents[2]))
    monkeypatch.setattr(command, "numpy_folder", lambda: tmp_path)
    (outcome,) = run("import solutions", Path("f.py"), "f", [()], 1)
    assert (outcome.ending, outcome.near) == ("import-error", "solutions")


def test_the_environment_is_clean(go_either, monkeypatch):
    """Nothing of the grader's environment reaches the process."""
    monkeypatch.setenv("SECRET", "x")
    source = "import os\ndef f(): return [len(os.environ), 'SECRET' in os.environ, 'HOME' in os.environ]"
    count, secret, home = go_either(source, ())[0].values[0]
    assert count <= 8
    assert not secret
    assert not home


def test_usual_imports_work(go):
    """Python's own modules and numpy's parts can be imported and used."""
    source = """
        from __future__ import annotations
        import collections, copy, dataclasses, functools, itertools, json, math, pathlib, random, re, statistics, typing
        import numpy.linalg, numpy.fft, numpy.ma, numpy.random, numpy.testing, numpy.typing
        from dataclasses import dataclass

        @dataclass
        class Head:
            width: int

        def f(x):
            return np.linalg.norm(x) * Head(2).width
        import numpy as np
    """
    (outcome,) = go(source)
    assert outcome.ending == "returned", outcome


def test_a_crash_costs_its_case_alone(go_either):
    """After a crash the remaining cases run in a fresh process; its loading is not printed a second time."""
    source = """
        import os
        print("loading")
        def f(x):
            if x[0, 0] == 2:
                os._exit(7)
            return x
    """
    outcomes = go_either(source, *[(k * np.eye(2),) for k in range(1, 5)])
    assert [outcome.ending for outcome in outcomes] == ["returned", "exit", "returned", "returned"]
    assert outcomes[1].message == "7"
    assert [outcome.output for outcome in outcomes] == ["loading\n", "", "", ""]


def test_after_two_timeouts_the_rest_is_not_run(go_either):
    """A submission that hangs on two cases ends there: the time in all is bounded."""
    outcomes = go_either("def f(x):\n    while True: pass", *[(np.eye(2),)] * 6, limits=Limits(wall=0.3))
    assert [outcome.ending for outcome in outcomes] == ["timeout"] * 6
    assert [outcome.error for outcome in outcomes] == ["wall"] * 2 + ["not-run"] * 4


def test_a_file_on_disk_serves_where_there_is_none_in_memory(monkeypatch):
    """Prints are split by case also where they go to a temporary file."""
    monkeypatch.delattr(os, "memfd_create")
    source = "print('loading')\ndef f(x):\n    print(x)\n    return x"
    for forks in (True, False):
        with Runner(forks=forks) as runner:
            outcomes = runner.run(source, Path("f.py"), "f", [(1,), (2,), (3,)], 1)
        assert [outcome.output for outcome in outcomes] == ["loading\n1\n", "2\n", "3\n"]


def test_isolation_has_a_word(forking, plain, spawning):
    """The level of isolation is named, for the report."""
    assert forking.isolation.startswith("seccomp")
    assert plain.isolation == spawning.isolation == "limits"


def test_starting_does_not_wait():
    """`start` returns before anything was heard of the server."""
    with Runner(forks=True) as runner:
        runner.start()
        assert not runner._kind._label
        assert runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)[0].ending == "returned"


def test_a_closed_runner_starts_again():
    """After `close` the next run starts a new server."""
    with Runner() as runner:
        for _ in range(2):
            assert runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)[0].ending == "returned"
            runner.close()


@pytest.mark.parametrize("forks", [True, False])
def test_a_server_that_cannot_start_is_our_fault(monkeypatch, forks):
    """No interpreter, or one that dies, is a fault of the grader's, with what was said."""
    with Runner(forks=forks) as runner:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        runner.start()
        with pytest.raises(GradeError) as caught:
            runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
        assert (caught.value.code, caught.value.exit_code) == ("sandbox-failed", 3)
        assert "/nowhere/python" in caught.value.numbers["detail"]


@pytest.mark.parametrize("forks", [True, False])
def test_a_server_without_numpy_is_our_fault(monkeypatch, tmp_path, forks):
    """The last line of what the server said stands in the error."""
    monkeypatch.setattr(command, "numpy_folder", lambda: tmp_path)
    with Runner(forks=forks) as runner, pytest.raises(GradeError) as caught:
        runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
    assert "No module named 'numpy'" in caught.value.numbers["detail"]


def test_a_server_that_dies_is_replaced_once(go):
    """When the server dies under a run, the run is repeated in a new one."""
    with Runner(forks=True) as runner:
        runner.start()
        kind = runner._kind
        assert isinstance(kind, forked.Server)
        box = kind.box()
        assert not box.end().ready
        box.close()
        kind._server.process.kill()
        kind._server.process.wait()
        assert runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)[0].ending == "returned"


def test_a_submission_that_kills_the_server_is_given_up():
    """Killing the server, every time, ends as our fault; the next submission runs."""
    source = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nimport time\ntime.sleep(5)"
    with Runner(Setting(walls=()), forks=True) as runner:
        with pytest.raises(GradeError):
            runner.run(source, Path("f.py"), "f", [()], 1)
        assert runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)[0].ending == "returned"
