"""How a value of one shape may lie in the values seen at a place of a file.

What was seen for the first, second, … time is stacked. A loop over heads, or over rows and columns, then shows the
same numbers as one product; a transpose or an axis of one changes nothing about what they are.
"""

from functools import lru_cache
from itertools import permutations
from math import isfinite, prod

import numpy as np

from grader.judge.line.roles import LOW
from grader.model import Array

MOST_AXES = 3
NEAR = 1e-6


@lru_cache(maxsize=4096)
def orders(shape: tuple[int, ...], count: int, seen: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The orders of the axes of `shape` in which it fills `count` values of the shape `seen`; its own order first."""
    if prod(shape) != count * prod(seen):
        return ()
    long = [axis for axis, size in enumerate(shape) if size != 1]
    short = [axis for axis, size in enumerate(shape) if size == 1]
    if len(long) > MOST_AXES:
        return (tuple(range(len(shape))),) if shape == seen and count == 1 else ()
    inner = tuple(size for size in seen if size != 1)
    found = []
    for order in permutations(long):
        sizes = tuple(shape[axis] for axis in order)
        loops = len(sizes) - len(inner)
        if loops >= 0 and sizes[loops:] == inner and prod(sizes[:loops]) == count:
            found.append((*order, *short))
    return tuple(found)


def laid(value: Array, order: tuple[int, ...], count: int, seen: tuple[int, ...]) -> Array:
    """The value in one order of its axes, as `count` values of the shape `seen`: (count, *seen)."""
    return value.transpose(order).reshape(count, *seen)


def is_own(order: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether this is the axes' own order, axes of one left aside."""
    long = [axis for axis in order if shape[axis] != 1]
    return long == sorted(long)


def alike(want: Array, got: Array) -> bool:
    """Whether two arrays of one shape hold the same numbers, to 1e-6; what is very low counts as -inf."""
    if (want.dtype == bool) != (got.dtype == bool):
        return False
    if want.dtype == bool or not want.size:
        return bool(np.array_equal(want, got))
    first = want.item(0)
    apart = got.dtype.kind in "iuf" and isfinite(first) and not abs(got.item(0) - first) <= NEAR * (1 + abs(first))
    if apart or got.dtype.kind not in "iuf":
        return False  # the usual case, told from one number
    with np.errstate(all="ignore"):
        near = (got == want) | (np.isfinite(want) & (np.abs(got - want) <= NEAR * (1 + np.abs(want))))
        if near.all():
            return True
        low = np.isneginf(want)
        if not low.any() or not (near | low).all():
            return False
        return bool((got[low] <= want[~low].min(initial=0.0) - LOW).all())


def shifted(want: Array, got: Array) -> bool:
    """Whether every row, along the last axis, is the wanted one plus a constant: the same shares after all."""
    if want.ndim == 0 or want.shape[-1] == 1 or want.dtype == bool or got.dtype.kind not in "iuf":
        return False
    with np.errstate(all="ignore"):
        there = np.isfinite(want)
        if not np.isfinite(got[there]).all():
            return False
        difference = np.where(there, got - np.where(there, want, 0.0), np.nan)
        low, high = np.fmin.reduce(difference, axis=-1), np.fmax.reduce(difference, axis=-1)
        if not np.all((high - low) <= NEAR * (1 + np.abs(low))):
            return False
        return bool(there.all()) or alike(want, got - np.where(np.isnan(low), 0.0, low)[..., None])


def close(want: Array, got: Array) -> bool:
    """Whether a result is the wanted one: shape, kind, what is finite, and the numbers to 1e-6."""
    if want.shape != got.shape or (want.dtype == bool) != (got.dtype == bool):
        return False
    if want.dtype == bool:
        return bool(np.array_equal(want, got))
    if got.dtype.kind not in "iuf" or not np.array_equal(np.isfinite(want), np.isfinite(got)):
        return False
    with np.errstate(all="ignore"):
        near = np.isfinite(want) & (np.abs(got - want) <= NEAR * (1 + np.abs(want)))
        return bool(np.all((want == got) | np.isnan(want) | near))
