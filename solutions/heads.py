"""Several heads: cut the columns into heads, attend in each, put the heads side by side, project."""

from typing import Any

import numpy as np

from solutions import checks
from solutions.checks import Floats
from solutions.one_head import attention, project_qkv, projected


def split_heads(X: Any, n_heads: Any) -> Floats:
    """Cut the columns into heads: head h gets the h-th block of d_head columns.

    Args:
        X: (..., n, d_model).
        n_heads: Number of heads H.

    Returns:
        (..., H, n, d_head), d_head = d_model / H.

    Raises:
        TypeError: If `n_heads` is not a whole number.
        ValueError: If H does not divide d_model.
    """
    x, h = checks.matrix("X", X), checks.size("n_heads", n_heads)
    d_head = checks.even_heads(x.shape[-1], h)
    blocks = x.reshape(*x.shape[:-1], h, d_head)  # (..., n, d_model) -> (..., n, H, d_head)
    return np.swapaxes(blocks, -3, -2)  # (..., n, H, d_head) -> (..., H, n, d_head)


def merge_heads(H: Any) -> Floats:
    """Put the heads side by side: the inverse of `split_heads`.

    Args:
        H: (..., n_heads, n, d_head).

    Returns:
        (..., n, n_heads * d_head).

    Raises:
        ValueError: If `H` has fewer than three axes.
    """
    heads = np.asarray(H, dtype=np.float64)
    if heads.ndim < 3:  # noqa: PLR2004
        raise ValueError(f"heads must have at least three axes, got shape {heads.shape}")
    rows = np.swapaxes(heads, -3, -2)  # (..., H, n, d_head) -> (..., n, H, d_head)
    return rows.reshape(*rows.shape[:-2], -1)  # (..., n, H * d_head)


def multi_head_attention(  # noqa: PLR0917 -- that many inputs, in this order
    X: Any, Wq: Any, Wk: Any, Wv: Any, Wo: Any, n_heads: Any, mask: Any = None
) -> Floats:
    """Attention in several heads, then the output projection.

    Args:
        X: Tokens, (..., n, d_model).
        Wq: Query weights, (d_model, d_model); the h-th block of columns is head h's own.
        Wk: Key weights, likewise.
        Wv: Value weights, likewise.
        Wo: Output weights, (d_model, d_model).
        n_heads: Number of heads H; divides d_model.
        mask: None, boolean (True = may attend) or floats to add; broadcasts to (..., H, n, n).

    Returns:
        (..., n, d_model).

    Raises:
        TypeError: If `n_heads` is not a whole number or the mask neither boolean nor floats.
        ValueError: If the shapes do not fit.
    """
    q, k, v = (split_heads(a, n_heads) for a in project_qkv(X, Wq, Wk, Wv))  # each (..., H, n, d_head)
    output, _ = attention(q, k, v, mask)  # (..., H, n, d_head)
    return projected(merge_heads(output), Wo)  # (..., n, d_model)
