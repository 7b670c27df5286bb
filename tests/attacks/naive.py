"""A grader as one writes it in an afternoon: it runs the submission in its own process and compares there.

    python naive.py FILE.yaml [WAY]...     tries every file of the collection on the ways to compare, prints JSON

It shows that the attacks are real: each takes all its points, or harms it, in at least one of the ways.
"""

import json
import linecache
import os
import signal
import sys
import traceback
from pathlib import Path

import numpy as np
import numpy.testing
import yaml

CASES = [np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[0.5, -1.0, 2.0, 0.0]])]
SECONDS, FAILED = 1, 3
RECORDS = []


def reference(x):
    """The right answer."""
    weights = np.exp(x - x.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def allclose(result, expected):
    """As most write it."""
    return bool(np.allclose(result, expected))


def equal(result, expected):
    """Equal to the last bit."""
    return bool(np.all(result == expected))


def difference(result, expected):
    """No difference is too large."""
    return not np.any(np.abs(result - expected) > 1e-6)


def relative(result, expected):
    """Measured by what was returned."""
    return bool(np.all(np.abs(expected - result) <= 1e-6 * np.abs(result)))


def masked(result, expected):
    """With numpy's masked arrays."""
    return bool(np.ma.allclose(result, expected))


def testing(result, expected):
    """With numpy's own tests."""
    numpy.testing.assert_allclose(result, expected)
    return True


WAYS = (allclose, equal, difference, relative, masked, testing)


def grade(source, way, *, late=False):
    """Run one file and compare; the expected value before the call, or after it."""
    linecache.cache["submission.py"] = (len(source), None, source.splitlines(keepends=True), "submission.py")
    scope = {"__name__": "submission"}
    exec(compile(source, "submission.py", "exec"), scope)
    for x in [case.copy() for case in CASES]:
        expected = None if late else reference(x)
        RECORDS.append(expected)
        result = scope["softmax"](x)
        if late:
            expected = reference(x)
        if not globals()[way](result, expected):
            print("FAIL")  # noqa: T201 - so such graders speak
            return FAILED
    print("PASS")  # noqa: T201
    return 0


def child(source, way, pipe):
    """One file in a process of its own, as a grader would end."""
    for stream in (1, 2):
        os.dup2(pipe, stream)
    signal.alarm(SECONDS)
    if way == "bare":
        sys.exit(grade(source, "allclose"))
    try:
        code = grade(source, "allclose" if way == "late" else way, late=way == "late")
    except Exception as error:  # noqa: BLE001
        print("FAIL", type(error).__name__, error)  # noqa: T201
        traceback.print_exc()
        code = FAILED
    sys.exit(code)


def run(source, way):
    """Exit code and output of one file graded one way."""
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reads)
        child(source, way, writes)
    os.close(writes)
    with os.fdopen(reads, "rb") as said:
        output = said.read(1 << 16)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), output.decode("utf-8", "replace")


def passed(code, said):
    """As such a grader is read: by the word, or by the exit code."""
    return "PASS" in said or (code == 0 and "FAIL" not in said)


def until_passed(source, ways):
    """The ways to compare, one after the other, until one is taken in."""
    tried = {}
    for way in ways or [*(one.__name__ for one in WAYS), "late", "bare"]:
        tried[way] = run(source, way)
        if passed(*tried[way]):
            break
    return tried


if __name__ == "__main__":
    files = yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.__stdout__.write(json.dumps({name: until_passed(source, sys.argv[2:]) for name, source in files.items()}))
