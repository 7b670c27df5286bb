"""How often an answer that nobody thought about would be hit by one of the values searched.

What may be claimed depends on what an answer can carry: six numbers to four decimals are not met by chance, one number
to two decimals is met by some mistake or other all the time.
"""

from collections.abc import Iterable
from math import comb, factorial, prod
from typing import Final

import numpy as np

from grader.judge.compare import half_unit
from grader.model import Array, Blank

NAMED: Final = 1e-3
"""The most accidental hits to expect among all that was searched, for what is found to be named."""

OFFERED: Final = 0.05
"""The same for several mistakes together to be offered at all; a single one always is."""

SHUFFLED: Final = 0.01
"""How often a wrong answer is the right numbers in other places, by no mistake of ours."""

FLIPPED: Final = 0.1
"""How often one more cell of a mask is turned over."""


def accidental_hits(blank: Blank, values: Iterable[Array], own: Array | None, extra: float = 0.0) -> float:
    """How many of these distinct values a random wrong answer would be expected to hit, at the blank's precision.

    A cell in which a value differs from what the learner should have is hit if a random number falls into its window;
    a value that only moves the numbers about is also hit by shuffling them. `extra` widens the window.
    """
    found = list(values)
    if not found:
        return 0.0
    if blank.kind == "mask":
        return sum(_mask_hit(value, own) for value in found)
    window = min(1.0, 2 * (half_unit(blank.decimals) + extra) / _width(found, own))
    return sum(_number_hit(value, own, window, blank.decimals) for value in found)


def _width(values: Iterable[Array], own: Array | None) -> float:
    """How far apart numbers lie here: at least 1, at most twice the largest that should stand here."""
    pool = np.concatenate([np.asarray(value, np.float64).ravel() for value in values])
    pool = pool[np.isfinite(pool)]
    spread = float(np.ptp(pool)) if pool.size else 1.0
    if own is not None and np.isfinite(own).any():
        spread = min(max(spread, 1.0), max(1.0, 2 * float(np.abs(own[np.isfinite(own)]).max())))
    return max(1.0, spread)


def _number_hit(value: Array, own: Array | None, window: float, decimals: int) -> float:
    if own is None or own.shape != value.shape:
        return float(window ** max(1, value.size))
    mine, yours = np.round(value, decimals), np.round(own, decimals)
    random = float(window ** max(1, int((mine != yours).sum())))
    if value.size > 1 and np.array_equal(np.sort(mine, axis=None), np.sort(yours, axis=None)):
        return max(random, SHUFFLED / _orders(yours))
    return random


def _orders(array: Array) -> int:
    """In how many different orders these numbers can stand."""
    _, counts = np.unique(array, return_counts=True)
    return max(1, factorial(min(array.size, 20)) // prod(factorial(int(count)) for count in counts))


def _mask_hit(value: Array, own: Array | None) -> float:
    random = 0.5**value.size
    if own is None or own.shape != value.shape:
        return random
    changed = max(1, int((np.isneginf(value) != np.isneginf(own)).sum()))
    return max(random, FLIPPED ** (changed - 1) / comb(value.size, changed))
