"""Masks: boolean, True = may attend; and what is added to the scores instead."""

from typing import Any

import numpy as np

from solutions import checks
from solutions.checks import Anything, Bools, Floats, Ints


def lower_triangle(n: int, m: int) -> Bools:
    """Query i may read keys 0..i, aligned at the top left: (n, m)."""
    return np.tri(n, m, dtype=np.bool_)  # (n, m)


def causal_mask(n: Any) -> Bools:
    """Who may read whom when nobody reads the future.

    Args:
        n: Number of tokens.

    Returns:
        Boolean (n, n): token i may read tokens 0..i, itself included.

    Raises:
        TypeError: If `n` is not a whole number.
        ValueError: If `n` is below 1.
    """
    count = checks.size("n", n)
    return lower_triangle(count, count)  # (n, n)


def causal_for(s: Anything) -> Bools:
    """The causal mask for scores (..., n, m): (n, m), aligned at the top left."""
    return lower_triangle(*s.shape[-2:])


def padding_mask(lengths: Any, m: Any) -> Bools:
    """Which keys are tokens and which only fill up.

    Args:
        lengths: How many tokens each sequence really has, (B,).
        m: Number of keys after filling up.

    Returns:
        Boolean (B, m): True for the first `lengths[b]` keys.

    Raises:
        TypeError: If a length or `m` is not a whole number.
        ValueError: If `lengths` is no list, or one is below 0 or above m.
    """
    count, real = checks.size("m", m), np.asarray(lengths)
    if not np.issubdtype(real.dtype, np.integer):
        raise TypeError(f"lengths must be whole numbers, got {real.dtype}")
    if real.ndim != 1:
        raise ValueError(f"lengths must have one axis, got shape {real.shape}")
    if real.size and (real.min() < 0 or real.max() > count):
        raise ValueError(f"lengths must lie in 0..{count}, got {real.tolist()}")
    row: Bools = np.arange(count) < real[:, None]  # (m,) < (B, 1) -> (B, m)
    return row


def first_keys(length: Any, n: Any) -> Bools:
    """The padding mask of one sequence: True for its first `length` of `n` keys, (n,)."""
    row: Bools = padding_mask(np.asarray(length)[None], n)[0]  # (1, n) -> (n,)
    return row


def stored(mask: Anything, true_blocks: Any) -> Ints:
    """A mask as the ones and zeros that a library stores: 1 = allowed, or 1 = blocked where True means blocked."""
    return np.where(mask, 1, 0) ^ int(bool(true_blocks))  # (n, m)


def additive(mask: Anything) -> Floats:
    """A boolean mask as what is added to the scaled scores: 0 where allowed, -inf where blocked."""
    return np.where(mask, 0.0, -np.inf)


def both(causal: Anything, padding: Anything) -> Bools:
    """A key may be read if both masks allow it: (n, m) and (m,) -> (n, m)."""
    allowed: Bools = np.logical_and(causal, padding)
    return allowed
