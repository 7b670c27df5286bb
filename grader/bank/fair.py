"""The rules that a draw must keep, cheapest first. Each raises `Unfair` with its name; none looks at mistakes.

Thresholds that drawn numbers can meet exactly carry a small slack, so that the last bit of a float decides nothing.
"""

import math
from collections.abc import Iterable

import numpy as np

from grader import trace
from grader.bank.entries import Unfair
from grader.errors import GradeError
from grader.model import Array, Numbers, Template, Trace

_SLACK = 1e-9
_LEAST_WEIGHT, _MOST_WEIGHT = 0.02, 0.95
_USUAL_SPREAD = 3.9
_UNIFORM = 0.01
_CANDIDATES = 0.02
_DIFFER = 1e-3
_MOST_CELLS = 20_000
_NO_ZERO_ROWS = frozenset({"x", "q", "k", "v", "scores", "output", "product", "projected"})
_NO_EQUAL_ROWS = frozenset({"x", "x_q", "x_kv", "q", "k", "v"})
_SUFFIXES = ("_new", "_low", "_high", "_shifted")


def base(name: str) -> str:
    """A step's name without the suffix of its second case: `weights_new` is a `weights`."""
    return next((name.removesuffix(suffix) for suffix in _SUFFIXES if name.endswith(suffix)), name)


def check(template: Template, right: Trace, needed: frozenset[str]) -> None:
    """Check every rule about what is computed on one draw; `Unfair` at the first one broken."""
    computed = {name: right[name] for name in right if name in needed}
    finite_and_bounded(computed, template.fair.bound)
    zero_rows(computed)
    softmaxed(computed, template.fair.spread)
    best_is_clear(template.pipeline, right, needed)
    differing(template.fair.differ, right)


def small(right: Trace) -> None:
    """`GradeError` if a step is larger than any exercise needs: every mistake would be worked out on it."""
    for name, array in right.items():
        if array.size > _MOST_CELLS:
            raise GradeError("step-too-large", step=name, count=array.size, limit=_MOST_CELLS)


def _rows(array: Array) -> Array:
    return array.reshape(-1, array.shape[-1])  # (rows, last)


def _has_zero_row(array: Array) -> bool:
    return array.ndim >= 2 and bool((_rows(array) == 0).all(axis=1).any())  # noqa: PLR2004 (matrices have rows)


def rows_of_input(name: str, numbers: Numbers) -> None:
    """No drawn matrix has a row of zeros only, and no two tokens are the same; asked before anything is computed."""
    if len(numbers.shape) < 2:  # noqa: PLR2004 (matrices have rows)
        return
    width = numbers.shape[-1]
    rows = [numbers.cells[at : at + width] for at in range(0, len(numbers.cells), width)]
    if numbers.kind == "decimal" and any(set(row) == {"0"} for row in rows):
        raise Unfair("zero-row", name)
    if base(name) in _NO_EQUAL_ROWS and len(set(rows)) < len(rows):
        raise Unfair("equal-rows", name)


def zero_rows(computed: Trace) -> None:
    """No computed vector of the kind that is worked out by hand is all zeros."""
    for name, array in computed.items():
        if base(name) in _NO_ZERO_ROWS and _has_zero_row(array):
            raise Unfair("zero-row", name)


def finite_and_bounded(computed: Trace, bound: float) -> None:
    """Every number on the way is finite (a blocked score may be -inf) and small enough for paper."""
    for name, array in computed.items():
        if array.dtype.kind != "f" or (np.abs(array) <= bound).all():
            continue
        numbers = array[~np.isneginf(array)]
        if not np.isfinite(numbers).all():
            raise Unfair("not-finite", name)
        if numbers.size and np.abs(numbers).max() > bound + _SLACK:
            raise Unfair("too-large", name)


def softmaxed(computed: Trace, spread: float) -> None:
    """Rows that go into a softmax are neither so wide that it saturates nor all the same."""
    for name, array in computed.items():
        if base(name) == "weights" and array.dtype.kind == "f":
            _weights(name, _rows(array), spread)
        elif base(name) == "minus_max" and array.dtype.kind == "f":
            _scores(name, _rows(array), spread)


def _scores(name: str, rows: Array, spread: float) -> None:
    allowed = np.where(np.isneginf(rows), 0.0, rows)  # the largest is 0 already
    if allowed.size and -allowed.min() > spread + _SLACK:
        raise Unfair("spread", name)


def _weights(name: str, rows: Array, spread: float) -> None:
    several = (rows > 0).sum(axis=1) > 1
    rows = rows[several]
    if not rows.size:
        return
    most, least = rows.max(axis=1), np.where(rows > 0, rows, math.inf).min(axis=1)
    if (np.log(most / least) > spread + _SLACK).any():
        raise Unfair("spread", name)
    if spread <= _USUAL_SPREAD and ((least < _LEAST_WEIGHT).any() or (most > _MOST_WEIGHT).any()):
        raise Unfair("saturated", name)
    if (most - least < _UNIFORM).any():
        raise Unfair("uniform", name)


def best_is_clear(pipeline: str, right: Trace, needed: Iterable[str]) -> None:
    """Where a step names the strongest of some weights, the second is clearly weaker."""
    for step in trace.pipelines()[pipeline].steps:
        if step.name not in needed or not step.name.startswith(("strongest", "top")):
            continue
        if right[step.name].dtype.kind == "i":
            _clear(step.name, right[step.needs[0]], [right[name] for name in step.needs[1:]])


def _clear(name: str, array: Array, at: list[Array]) -> None:
    for row in np.atleast_2d(array[tuple(int(index) for index in at)]):
        second, first = np.sort(row)[-2:]
        if first - second < _CANDIDATES - _SLACK:
            raise Unfair("tie", name)


def differing(pairs: Iterable[tuple[str, str]], right: Trace) -> None:
    """What a template says must differ does, by more than rounding hides."""
    for first, second in pairs:
        one, two = right[first], right[second]
        if one.shape == two.shape and (np.abs(one.astype(float) - two.astype(float)) <= _DIFFER).all():
            raise Unfair("same", f"{first}, {second}")
