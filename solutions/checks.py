"""Checks that say the shapes: what a shape must be, and what was got."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Anything = NDArray[Any]


def matrix(name: str, a: Any) -> Floats:
    """`a` as a float64 array of at least two axes.

    Raises:
        ValueError: If `a` has fewer than two axes.
    """
    array = np.asarray(a, dtype=np.float64)
    if array.ndim < 2:  # noqa: PLR2004
        raise ValueError(f"{name} must have at least two axes, got shape {array.shape}")
    return array


def size(name: str, value: Any) -> int:
    """`value` as a whole number of at least 1.

    Raises:
        TypeError: If `value` is not a whole number.
        ValueError: If it is below 1.
    """
    array = np.asarray(value)
    if array.ndim != 0 or not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if array < 1:
        raise ValueError(f"{name} must be at least 1, got {value}")
    return int(array)


def same_width(a_name: str, a: Anything, b_name: str, b: Anything) -> None:
    """Rows of `a` and rows of `b` must be equally wide.

    Raises:
        ValueError: If the last axes differ.
    """
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"{a_name} and {b_name} must be equally wide, got {a.shape} and {b.shape}")


def same_rows(a_name: str, a: Anything, b_name: str, b: Anything) -> None:
    """`a` and `b` must have equally many rows.

    Raises:
        ValueError: If the axes before the last differ.
    """
    if a.shape[-2] != b.shape[-2]:
        raise ValueError(f"{a_name} and {b_name} must have equally many rows, got {a.shape} and {b.shape}")


def fits(a_name: str, a: Anything, b_name: str, b: Anything) -> None:
    """`a @ b` must be possible.

    Raises:
        ValueError: If the columns of `a` are not as many as the rows of `b`.
    """
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"{a_name} @ {b_name} needs columns = rows, got {a.shape} and {b.shape}")


def spreads(name: str, shape: tuple[int, ...], to: tuple[int, ...]) -> None:
    """A `shape` must broadcast to the shape `to`.

    Raises:
        ValueError: If it does not.
    """
    try:
        spread = np.broadcast_shapes(shape, to)
    except ValueError:
        spread = ()
    if spread != to:
        raise ValueError(f"{name} must broadcast to {to}, got shape {shape}")


def even_heads(width: int, n_heads: int) -> int:
    """The width of one head.

    Raises:
        ValueError: If `n_heads` does not divide `width`.
    """
    if width % n_heads:
        raise ValueError(f"{n_heads} heads must divide the width {width} evenly")
    return width // n_heads
