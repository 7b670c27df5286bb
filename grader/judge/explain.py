"""Which mistake is this? Compare what was answered with what each catalogued mistake gives.

A mistake explains a typed step if computing it that way from the learner's own earlier values gives what was typed. It
explains a function if it gives the learner's values on every case. It is *named* only if the answer can carry the
claim (design: expected accidental hits below 0.001), else *offered* as "this is what you get when".
"""

from collections.abc import Iterable, Sequence
from math import prod

import numpy as np

from grader.judge.compare import differing, half_unit, typed
from grader.judge.follow import Follower
from grader.model import Answer, Array, Blank, Finding, Mistake

NAMED = 1e-3
"""The most accidental hits to expect among the mistakes searched, for one of them to be named."""

NEAR = 400
"""Half units of the last decimal within which rounding on the way is worth working out."""


def of_blank(
    follower: Follower, blank: Blank, answer: Answer, mistakes: Sequence[Mistake], own: Array | None
) -> Finding | None:
    """The finding for one wrong blank: a mistake named or offered, or `None` when nothing fits."""
    reach = _reach(follower, blank, mistakes)
    given = [(mistake, follower.own(blank, [mistake])) for mistake in reach]
    shown = [(mistake, value) for mistake, value in given if value is not None and not _same(value, own)]
    fits = [mistake for mistake, value in shown if _fits(follower, blank, answer, mistake, value)]
    if not fits:
        return None
    fits.sort(key=lambda mistake: mistake.step != blank.step)
    lucky = accidental_hits(blank, [value for _, value in shown], own)
    return _finding([mistake.id for mistake in fits], named=lucky < NAMED)


def accidental_hits(blank: Blank, values: Iterable[Array], own: Array | None) -> float:
    """How many of these values a random answer would be expected to hit, at the blank's precision.

    A random cell is taken to fall anywhere between the smallest and the largest value in question, and at least one
    apart; a hit is a window of one unit of the last decimal.
    """
    candidates = [value for value in values if value.dtype != bool]
    if not candidates:
        return 0.0 if prod(blank.shape) > 4 else 1.0  # noqa: PLR2004 -- a mask of five cells is one of 32
    pool = np.concatenate([value.ravel() for value in candidates] + ([own.ravel()] if own is not None else []))
    pool = pool[np.isfinite(pool.astype(np.float64))].astype(np.float64)
    width = max(1.0, float(np.ptp(pool))) if pool.size else 1.0
    chance = min(1.0, 2 * half_unit(blank.decimals) / width)
    return sum(chance ** max(1, value.size) for value in candidates)


def _reach(follower: Follower, blank: Blank, mistakes: Sequence[Mistake]) -> list[Mistake]:
    """The mistakes that touch this step or one since the last typed step; `own` leaves typed steps alone."""
    place = follower.order.get(blank.step or "", -1)
    fixed = follower.before(blank.step or "").keys()
    return [
        mistake
        for mistake in mistakes
        if any(step.name not in fixed and follower.order.get(step.name, place + 1) <= place for step in mistake.steps)
    ]


def _fits(follower: Follower, blank: Blank, answer: Answer, mistake: Mistake, value: Array) -> bool:
    """Whether a mistake gives what was typed, from the earlier values as typed or before they were rounded."""
    wrong = np.where(value, 0.0, -np.inf) if blank.kind == "mask" and value.dtype == bool else value
    if wrong.shape != answer.shape:
        return False
    if not differing(answer, wrong, blank.decimals):
        return True
    yours = typed(answer)
    if blank.kind != "numbers" or yours is None or not np.all(np.isfinite(wrong)):
        return False
    if np.max(np.abs(yours - wrong)) > NEAR * half_unit(blank.decimals):
        return False
    return not differing(answer, wrong, blank.decimals, follower.spread(blank, wrong, [mistake]))


def _same(value: Array, own: Array | None) -> bool:
    return own is not None and value.shape == own.shape and bool(np.allclose(value, own, rtol=0, atol=1e-12))


def _finding(ids: list[str], *, named: bool) -> Finding:
    first, *rest = dict.fromkeys(ids)
    others = tuple((other,) for other in rest)
    return Finding(first if named else "offered", {"mistake": first}, (first,), others)
