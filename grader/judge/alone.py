"""Whether calls leave something behind: what a wrong function gives where nothing was called before.

A cached mask, a list that grows, a default argument that is changed: in a process of its own a case may come out right
that was wrong after others. Then the numbers of a long run say nothing about how the function computes.
"""

from collections.abc import Sequence
from typing import Final

from grader.judge.compare import CODE_TOLERANCE, close
from grader.model import AskAgain, Finding, Outcome, StepReport, Variant
from grader.trace import to_arrays

REMEMBERS: Final = "depends-on-earlier-calls"
RIGHT: Final = "right-when-alone"
"""The code for a function that goes wrong in no case if each has a process of its own."""


def outcomes(
    variant: Variant, seen: Sequence[Outcome], wrong: Sequence[int], ask: AskAgain, alone: AskAgain
) -> list[Outcome] | None:
    """What every case gives in a fresh process, if earlier calls change that; `None` if they do not, or chance does.

    The cases that went wrong, at the places `wrong`, are asked from the last to the first: `ask` goes on in the fresh
    process that `alone` has begun. Only if one gives something else is each of them asked alone. What differs must
    differ again, and the same calls in the same order must give the same as before.
    """
    turned = list(reversed(wrong))
    sooner = _in_one_process(variant, turned, ask, alone)
    if all(same(seen[place], one) for place, one in zip(turned, sooner, strict=True)) and not seen[0].unsteady:
        return None
    again = dict(zip(wrong, _asked(variant, wrong, alone), strict=True))
    other = [place for place, outcome in again.items() if not same(outcome, seen[place])]
    twice = zip(other[:1], _asked(variant, other[:1], alone), strict=True)
    replayed = zip(seen, _in_one_process(variant, range(len(seen)), ask, alone), strict=True)
    if not all(same(again[place], outcome) for place, outcome in twice) or not all(same(*both) for both in replayed):
        return None
    if not other and seen[0].unsteady != REMEMBERS:
        return None
    left = [place for place in range(len(seen)) if place not in again]
    every = {**again, **dict(zip(left, _asked(variant, left, alone), strict=True))}
    return [every[place] for place in sorted(every)]


def _in_one_process(variant: Variant, places: Sequence[int], ask: AskAgain, alone: AskAgain) -> list[Outcome]:
    """What these cases give one after the other, where nothing was called before the first."""
    return [*_asked(variant, places[:1], alone), *_asked(variant, places[1:], ask)]


def _asked(variant: Variant, places: Sequence[int], ask: AskAgain) -> Sequence[Outcome]:
    return ask([to_arrays(variant.cases[place].inputs) for place in places]) if places else ()


def same(one: Outcome, other: Outcome) -> bool:
    """Whether two calls ended alike and gave the same values."""
    if (one.ending, one.error, len(one.values)) != (other.ending, other.error, len(other.values)):
        return False
    pairs = zip(one.values, other.values, strict=True)
    return all(mine.dtype == yours.dtype and close(mine, yours, CODE_TOLERANCE) for mine, yours in pairs)


def told(steps: Sequence[StepReport]) -> bool:
    """Whether it is said already that calls leave something behind."""
    return any(finding.code in {REMEMBERS, RIGHT} for step in steps for finding in step.findings)


def finding(variant: Variant, code: str) -> Finding:
    """What is said of a function whose calls leave something behind."""
    spec = variant.template.function
    assert spec is not None  # noqa: S101 -- a function was judged
    return Finding(code, {"function": spec.name})
