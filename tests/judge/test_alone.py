"""Functions whose calls leave something behind: nothing is said of them that a fresh process does not show."""

from pathlib import Path

import numpy as np
import pytest

from grader import trace
from grader.bank import draw, load
from grader.bank.seeds import DEFAULT
from grader.mark import Marker
from grader.model import SubmittedFile

REST = """
    s = np.where(allowed, s, -np.inf) if allowed is not None else s
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    w = w / w.sum(axis=-1, keepdims=True)
    return w @ V, w
"""
FIRST_MASK = """
seen = {{}}
def attention(Q, K, V, mask=None):
    allowed = seen.setdefault({key}, mask)
    s = Q @ K.T / {divisor}"""
FIRST_WIDTH = """
seen = {}
def attention(Q, K, V, mask=None):
    allowed = mask
    s = Q @ K.T / np.sqrt(seen.setdefault(0, K.shape[1]))"""
GROWING = """
rows = []
def padding_mask(lengths, m):
    rows.extend(np.arange(m) < one for one in lengths)
    return np.array(rows)"""
ADDING = """
def softmax(x, kept={}):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    kept[x.shape] = kept.get(x.shape, 0) + e / e.sum(axis=-1, keepdims=True)
    return kept[x.shape]"""
FIRST_SIZE = """
kept = None
def causal_mask(n):
    global kept
    kept = np.tri(n, dtype=bool) if kept is None else kept
    return kept[:n, :n]"""
LARGEST = """
largest = [-np.inf]
def softmax(x):
    largest.append(x.max())
    e = np.exp(x - max(largest))
    return e / e.sum(axis=-1, keepdims=True)"""
SECOND_OF_A_SIZE = """
sizes = set()
def scores(Q, K):
    wrong = len(K) in sizes or len(K) > 1
    sizes.add(len(K))
    return Q @ K.T + wrong"""
BY_CHANCE = """
rng = np.random.default_rng()
def attention(Q, K, V, mask=None):
    allowed = mask
    s = Q @ K.T / np.sqrt(K.shape[1]) + 0.1 * rng.random((len(Q), len(K)))"""
RIGHT_ALONE = {
    "the first mask, for all": ("attention", FIRST_MASK.format(key="0", divisor="np.sqrt(K.shape[1])") + REST),
    "the first mask of a shape": (
        "attention",
        FIRST_MASK.format(key="Q.shape + K.shape", divisor="np.sqrt(K.shape[1])") + REST,
    ),
    "the first width": ("attention", FIRST_WIDTH + REST),
    "a list that grows": ("padding_mask", GROWING),
    "a default argument that adds up": ("softmax", ADDING),
    "a mask of the first size": ("causal_mask", FIRST_SIZE),
}
WRONG_ALONE = {
    "divided by d_k": ("attention", FIRST_MASK.format(key="Q.shape + K.shape", divisor="K.shape[1]") + REST),
    "the largest of all so far": ("softmax", LARGEST),
}
NAMED = {"divided by d_k": "scale_dk_not_sqrt", "the largest of all so far": "softmax_global_max"}


@pytest.fixture(scope="module")
def marker():
    """One runner for all."""
    with Marker() as running:
        yield running


def marked(marker, exercise, code):
    """The report, and all that is found."""
    file = SubmittedFile(Path(f"{exercise}.py"), "function", exercise, None, f"import numpy as np\n{code}\n")
    report = marker.file(file, exercise=exercise)
    return report, [*(one for step in report.steps for one in step.findings), *report.findings]


@pytest.mark.parametrize(("exercise", "code"), RIGHT_ALONE.values(), ids=RIGHT_ALONE)
def test_what_is_right_when_called_once_is_accused_of_that_alone(marker, exercise, code):
    """No mistake, no law, no line, no smallest case: that calls leave something behind, once."""
    report, found = marked(marker, exercise, code)

    codes = [one.code for one in found]
    assert report.points < report.max_points
    assert codes.count("right-when-alone") == 1
    assert "depends-on-earlier-calls" not in codes
    assert not any(one.mistakes or one.code.startswith(("law-", "line-", "not-explained")) for one in found)
    assert report.failing is None


@pytest.mark.parametrize("kind", WRONG_ALONE)
def test_what_is_wrong_when_called_once_is_named_by_what_fresh_processes_give(marker, kind):
    """The mistake that shows there, and that calls leave something behind; no line, which one process would show."""
    _, found = marked(marker, *WRONG_ALONE[kind])

    codes = [one.code for one in found]
    assert codes.count("depends-on-earlier-calls") == 1
    assert NAMED[kind] in [name for one in found for name in one.mistakes]
    assert not any(code.startswith(("line-", "law-")) for code in codes)


@pytest.mark.parametrize("kind", WRONG_ALONE)
def test_the_smallest_case_fails_in_a_fresh_process(marker, kind):
    """What is shown as yours is what the function gives if it is called only once."""
    exercise, code = WRONG_ALONE[kind]
    report, _ = marked(marker, exercise, code)
    scope = {}
    exec(f"import numpy as np\n{code}\n", scope)

    with np.errstate(all="ignore"):
        given = scope[exercise](*report.failing.inputs.values())

    names = [one.name for one in load.find(exercise).function.returns]
    yours = given[names.index(report.failing.returned)] if isinstance(given, tuple) else given
    np.testing.assert_allclose(yours, report.failing.yours, atol=1e-9)
    assert not np.allclose(yours, report.failing.expected)


def test_a_case_that_only_the_probes_before_it_spoil_is_not_shown(marker):
    """Every graded case fails alike in a fresh process; a smaller one that fails after others alone is passed over."""
    report, _ = marked(marker, "scores", SECOND_OF_A_SIZE)

    scope = {}
    exec(f"import numpy as np\n{SECOND_OF_A_SIZE}\n", scope)
    yours = scope["scores"](*report.failing.inputs.values())

    assert not np.allclose(yours, report.failing.expected)


def test_chance_is_not_taken_for_memory(marker):
    """Fresh processes give other values as well, but the same calls do not give the same again."""
    _, found = marked(marker, "attention", BY_CHANCE + REST)

    assert {"right-when-alone", "depends-on-earlier-calls"}.isdisjoint(one.code for one in found)


def test_a_function_that_remembers_nothing_is_told_as_before(marker):
    """Its cases give the same in fresh processes: the mistake, the smallest case and the line stand."""
    code = "def attention(Q, K, V, mask=None):\n    allowed = mask\n    s = Q @ K.T" + REST
    report, found = marked(marker, "attention", code)

    assert "scale_missing" in [name for one in found for name in one.mistakes]
    assert any(one.code.startswith("line-") for one in found)
    assert report.failing is not None


def test_memory_costs_what_its_wrong_cases_cost(marker):
    """The marks are those of the run in which the cases came one after the other."""
    variant = draw.rebuild(load.find("attention"), DEFAULT, 0)
    report, _ = marked(marker, *RIGHT_ALONE["the first width"])

    widths = [trace.to_arrays(case.inputs)["k"].shape[1] for case in variant.cases]
    assert report.steps[0].points == report.steps[0].max_points * widths.count(widths[0]) / len(widths)
