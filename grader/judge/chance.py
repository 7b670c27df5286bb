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

INFINITE: Final = 1e-4
"""How often plus infinity is typed by chance: nothing is ever that."""

FLIPPED: Final = 0.1
"""How often one more cell of a mask is turned over."""


def accidental_hits(  # noqa: PLR0913 -- what there is to say about an answer
    blank: Blank,
    values: Iterable[Array],
    own: Array | None,
    yours: Array | None = None,
    extra: float = 0.0,
    *,
    tied: bool = False,
) -> float:
    """How many of these distinct values a random wrong answer like this one would be expected to hit.

    A value can only be hit if it differs from what the learner should have in the very cells in which the answer does;
    it is, if a random number falls into the window of each. An answer with the right numbers in other places may have
    been shuffled as well. `extra` widens the window. `tied`: numbers of a row that follow from the others, being equal
    or making up the sum of 1, are no further evidence.
    """
    half = half_unit(blank.decimals) + extra
    found = [value for value in values if yours is None or _pattern(value, own, half) == _pattern(yours, own, half)]
    if not found:
        return 0.0
    if blank.kind == "mask" or _is_bits(blank, own, yours):
        return sum(_mask_hit(value, own) for value in found)
    window = min(1.0, 2 * half / _width(found, own))
    hits = sum(_number_hit(value, own, window, half, tied=tied) for value in found)
    if yours is not None and own is not None and _is_shuffled(yours, own, blank.decimals):
        hits += SHUFFLED * len(found) / _orders(np.round(own, blank.decimals))
    return hits


def _is_bits(blank: Blank, own: Array | None, yours: Array | None) -> bool:
    """Whether a matrix of whole numbers is a mask: noughts, ones and infinities, those typed and those wanted."""
    if own is None or yours is None or own.ndim != 2 or blank.decimals:  # noqa: PLR2004 -- a matrix
        return False
    return all(bool(np.isin(one, (0.0, 1.0, -np.inf, np.inf)).all()) for one in (own, yours))


def _pattern(value: Array, own: Array | None, half: float) -> bytes:
    """The cells in which a value is not what the learner should have, and those that hold plus infinity."""
    if own is None or own.shape != value.shape:
        return b""
    with np.errstate(invalid="ignore"):
        changed = np.asarray((value != own) & ~(np.abs(value - own) <= half))
    return changed.tobytes() + np.isposinf(value).tobytes()


def _is_shuffled(value: Array, own: Array, decimals: int) -> bool:
    """Whether these are the right numbers in other places."""
    mine, yours = (np.sort(np.round(one, decimals), axis=None) for one in (value, own))
    return value.shape == own.shape and value.size > 1 and bool(np.allclose(mine, yours, rtol=0, atol=10.0**-decimals))


def _width(values: Iterable[Array], own: Array | None) -> float:
    """How far apart numbers lie here: at least 1, at most twice the largest that should stand here."""
    pool = np.concatenate([np.asarray(value, np.float64).ravel() for value in values])
    pool = pool[np.isfinite(pool)]
    spread = float(np.ptp(pool)) if pool.size else 1.0
    if own is not None and np.isfinite(own).any():
        spread = min(max(spread, 1.0), max(1.0, 2 * float(np.abs(own[np.isfinite(own)]).max())))
    return max(1.0, spread)


def _number_hit(value: Array, own: Array | None, window: float, half: float, *, tied: bool) -> float:
    if own is None or own.shape != value.shape:
        return float(window ** max(1, value.size))
    with np.errstate(invalid="ignore"):
        changed = (value != own) & ~(np.abs(value - own) <= half)
    if np.any(changed & np.isposinf(value)):
        return INFINITE
    count = _free(value, own, changed, half) if tied else int(changed.sum())
    return float(window ** max(1, count))


def _free(value: Array, own: Array, changed: Array, half: float) -> int:
    """How many of the changed numbers are no copy of another in their row, and not what is left of a sum of 1."""
    count = 0
    for row, want, off in zip(np.atleast_2d(value), np.atleast_2d(own), np.atleast_2d(changed), strict=True):
        makes_one = all(abs(float(one.sum()) - 1) <= 2 * half * one.size for one in (row, want))
        in_order = np.unique(row[off])
        different = int((np.diff(in_order) > half).sum()) + bool(in_order.size)
        count += max(0, different - makes_one)
    return count


def _orders(array: Array) -> int:
    """In how many different orders these numbers can stand."""
    _, counts = np.unique(array, return_counts=True)
    return max(1, factorial(min(array.size, 20)) // prod(factorial(int(count)) for count in counts))


def _mask_hit(value: Array, own: Array | None) -> float:
    random = 0.5**value.size
    if own is None or own.shape != value.shape:
        return random
    changed = max(1, int((value != own).sum()))
    return max(random, FLIPPED ** (changed - 1) / comb(value.size, changed))
