"""Whether the answers of a blank can be given in the decimals that it asks for, for the author's check.

A worksheet says "whole numbers" where no decimals are asked, and marks both roundings of a number halfway between two
as right; so an answer that is not whole, or halfway, is a fault of the template.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from grader import trace
from grader.judge import compare
from grader.model import Ask, Template, Trace, Variant

LONG = 4
"""The decimals to ask for where answers go on for ever."""
_MOST = 8


@dataclass(frozen=True)
class _Answer:
    """One number that a variant asks for, and where the variant comes from: `seed 3`, `pin lesson`."""

    value: float
    origin: str


def faults(template: Template, variants: Sequence[Variant]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Place in `ask`, code and numbers of each blank that asks for too few decimals, by the first such answer."""
    asked = [place for place, ask in enumerate(template.ask) if ask.kind == "numbers"]
    traces = [trace.solve(variant) for variant in variants] if asked else []
    for place in asked:
        answers = [one for pair in zip(variants, traces, strict=True) for one in _answers(place, *pair)]
        found = _first(template.ask[place], answers)
        if found is not None:
            code, answer = found
            ask = template.ask[place]
            wanted = _enough(ask.decimals, frozenset(one.value for one in answers))
            yield place, code, {"blank": ask.name, "origin": answer.origin, "wanted": wanted, **_numbers(ask, answer)}


def _answers(place: int, variant: Variant, right: Trace) -> Iterator[_Answer]:
    cells = compare.expected(variant.blanks[place], right)
    if cells.dtype.kind != "b":
        origin = f"pin {variant.seed.pin}" if variant.seed.pin else f"seed {variant.seed.text}"
        yield from (
            _Answer(float(cell), origin) for cell in np.asarray(cells, float).reshape(-1) if math.isfinite(cell)
        )


def _first(ask: Ask, answers: Sequence[_Answer]) -> tuple[str, _Answer] | None:
    for one in answers:
        if ask.decimals == 0 and compare.exact(one.value, 0) is None:
            return "answer-not-whole", one
        if _is_halfway(one.value, ask.decimals):
            return "answer-halfway", one
    return None


@cache
def _is_halfway(value: float, decimals: int) -> bool:
    """Whether a number has one decimal more than asked, and that is a 5."""
    return compare.exact(value, decimals) is None and compare.exact(2 * value, decimals) is not None


def _numbers(ask: Ask, answer: _Answer) -> dict[str, Any]:
    low = math.floor(answer.value * 10**ask.decimals) / 10**ask.decimals
    said = {"value": f"{answer.value:.10g}", "decimals": ask.decimals}
    return said | {"low": f"{low:.{ask.decimals}f}", "high": f"{low + 10.0**-ask.decimals:.{ask.decimals}f}"}


def _enough(asked: int, values: frozenset[float]) -> int:
    """The fewest decimals in which all answers are exact; else enough for any, without one halfway."""
    more = range(asked + 1, _MOST + 1)
    exact = (one for one in more if all(compare.exact(value, one) is not None for value in values))
    clear = (one for one in more if one >= LONG and not any(_is_halfway(value, one) for value in values))
    return next(exact, next(clear, _MOST))
