"""What the server runs before any submission: it works, and nothing of it stays."""

import textwrap
from pathlib import Path

import numpy as np

from grader.sandbox.inside import warm

EYE = np.eye(3)


def test_the_little_file_runs_as_a_submission_would(forking):
    """It loads, and each of its cases gives two arrays: what it warms is the way of a right submission."""
    cases = [(EYE, EYE, None), (EYE, EYE, EYE > 0), (EYE, EYE)]
    outcomes = forking.run(warm.SOURCE, Path(warm.NAME), "warm", cases, 2)
    assert [(outcome.ending, len(outcome.values)) for outcome in outcomes] == [("returned", 2)] * 3


def test_nothing_of_it_is_there_for_a_submission(forking):
    """No file, no module, no object: a submission that looks through everything finds only itself."""
    source = """
        import gc, linecache, sys
        def f():
            gc.unfreeze()
            mine = f.__globals__
            modules = [each for each in sys.modules.values() if getattr(each, "__dict__", None) is mine]
            named = [each for each in gc.get_objects() if getattr(each, "__module__", "") == "submission"]
            warmed = [each for each in named if each.__name__ in ("warm", "spread", "Kept")]
            return [len(modules), len(warmed), "warm.py" in linecache.cache]
    """
    (outcome,) = forking.run(textwrap.dedent(source), Path("f.py"), "f", [()], 1)
    np.testing.assert_array_equal(outcome.values[0], [1, 0, 0])


def test_no_module_is_told_of_forks(forking):
    """Python's own modules would make their locks and seeds anew in every fork; none of ours has any to renew."""
    source = """
        import logging, random, threading
        def f():
            first = random.random()
            random.seed(0)
            with logging._lock, threading.Lock():
                return [first == random.random(), threading.current_thread() is threading.main_thread()]
    """
    (outcome,) = forking.run(textwrap.dedent(source), Path("f.py"), "f", [()], 1)
    np.testing.assert_array_equal(outcome.values[0], [1, 1])
