"""One head, step by step: project, score, scale, mask, softmax, mix.

    q, k, v = x wq, x wk, x wv
    scores = q kᵀ      scaled = scores / sqrt(d_k)      masked = scaled, -inf where blocked
    weights = softmax(masked), row by row               output = weights v

Every step is a function of its own; `attention` is the steps in order. Leading axes (batch, heads) pass through.
"""

from typing import Any

import numpy as np

from solutions import checks
from solutions.checks import Anything, Floats


def projected(X: Any, W: Any) -> Floats:
    """Every row of `X` (..., n, d_in) times `W` (d_in, d_out), stored [in, out]: (..., n, d_out).

    Raises:
        ValueError: If the rows of `X` are not as wide as `W` is high.
    """
    x, w = checks.matrix("X", X), checks.matrix("W", W)
    checks.fits("X", x, "W", w)
    return x @ w  # (..., n, d_in) @ (d_in, d_out) -> (..., n, d_out)


def project_qkv(X: Any, Wq: Any, Wk: Any, Wv: Any) -> tuple[Floats, Floats, Floats]:
    """Queries, keys and values of one sequence.

    Args:
        X: Tokens, one a row, (..., n, d_model).
        Wq: Query weights, (d_model, d_k).
        Wk: Key weights, (d_model, d_k).
        Wv: Value weights, (d_model, d_v).

    Returns:
        Q (..., n, d_k), K (..., n, d_k), V (..., n, d_v).

    Raises:
        ValueError: If a weight does not fit, or queries and keys would not be equally wide.
    """
    q, k, v = projected(X, Wq), projected(X, Wk), projected(X, Wv)
    checks.same_width("queries", q, "keys", k)
    return q, k, v


def scores(Q: Any, K: Any) -> Floats:
    """Raw scores: how well each query matches each key, Q Kᵀ.

    Args:
        Q: Queries, (..., n, d_k).
        K: Keys, (..., m, d_k).

    Returns:
        (..., n, m); row i belongs to query i, column j to key j.

    Raises:
        ValueError: If queries and keys are not equally wide.
    """
    q, k = checks.matrix("Q", Q), checks.matrix("K", K)
    checks.same_width("Q", q, "K", k)
    return q @ np.swapaxes(k, -1, -2)  # (..., n, d_k) @ (..., d_k, m) -> (..., n, m)


def width(a: Anything) -> int:
    """How wide the rows of `a` are: d_k of a matrix of queries."""
    return int(a.shape[-1])


def scaled(raw: Anything, d_k: Any) -> Floats:
    """Scores over sqrt(d_k), same shape."""
    shrunk: Floats = np.asarray(raw, dtype=np.float64) / np.sqrt(d_k)  # (..., n, m)
    return shrunk


def masked(s: Anything, mask: Any = None) -> Floats:
    """Scores with the blocked keys at -inf.

    Args:
        s: Scores, (..., n, m).
        mask: None; boolean, True = may attend; or floats to add, 0 = may attend, -inf = blocked. Broadcasts to `s`.

    Returns:
        The scores to be softmaxed, same shape as `s`.

    Raises:
        ValueError: If the mask does not broadcast to the scores.
        TypeError: If the mask is neither boolean nor floats: 0 and 1 could mean either.
    """
    if mask is not None:
        checks.spreads("mask", np.shape(mask), np.shape(s))
    return masked_loosely(s, mask)


def masked_loosely(s: Anything, mask: Any = None) -> Floats:
    """`masked` whatever the shapes: scores that went wrong before may be spread to the mask instead."""
    plain = np.asarray(s, dtype=np.float64)
    if mask is None:
        return plain
    m = np.asarray(mask)
    if m.dtype == np.bool_:
        return np.where(m, plain, -np.inf)  # (..., n, m)
    if np.issubdtype(m.dtype, np.floating):
        added: Floats = plain + m  # (..., n, m)
        return added
    raise TypeError(f"mask must be boolean (True = may attend) or floats to add, got {m.dtype}")


def minus_max(x: Any) -> Floats:
    """Every row less its maximum, so that no exponential overflows; the shares stay the same.

    A row of -inf alone has no maximum to take away and stays as it is.
    """
    row = np.asarray(x, dtype=np.float64)
    top = row.max(axis=-1, keepdims=True, initial=-np.inf)  # (..., 1)
    shifted: Floats = row - np.where(np.isneginf(top), 0.0, top)  # (..., m)
    return shifted


def sums(e: Anything) -> Floats:
    """The sum of every row, kept as an axis of 1."""
    total: Floats = e.sum(axis=-1, keepdims=True)  # (..., m) -> (..., 1)
    return total


def shares(e: Anything, total: Anything) -> Floats:
    """Exponentials over their sum; zeros where the sum is 0 (every key is blocked)."""
    part: Floats = e / np.where(total == 0, 1.0, total)  # (..., m)
    return part


def softmax(x: Any) -> Floats:
    """Positive shares along the last axis that add to 1.

    Args:
        x: Scores of any rank, (..., m).

    Returns:
        Shares, same shape. -inf gets 0; a row of -inf alone gets zeros.

    Raises:
        ValueError: If `x` has no axis.
    """
    row = np.asarray(x, dtype=np.float64)
    if row.ndim == 0:
        raise ValueError("softmax needs at least one axis, got a single number")
    e = np.exp(minus_max(row))  # (..., m)
    return shares(e, sums(e))


def mixed(weights: Anything, V: Any) -> Floats:
    """The values mixed by the weights: row i is the weighted sum of the rows of V.

    Args:
        weights: (..., n, m).
        V: Values, (..., m, d_v).

    Returns:
        (..., n, d_v).

    Raises:
        ValueError: If there is not one value for each key.
    """
    v = checks.matrix("V", V)
    checks.fits("weights", weights, "V", v)
    out: Floats = weights @ v  # (..., n, m) @ (..., m, d_v) -> (..., n, d_v)
    return out


def attention(Q: Any, K: Any, V: Any, mask: Any = None, *, scale: float | None = None) -> tuple[Floats, Floats]:
    """Scaled dot-product attention.

    Args:
        Q: Queries, (..., n, d_k).
        K: Keys, (..., m, d_k).
        V: Values, (..., m, d_v); d_v may differ from d_k, n from m.
        mask: None, boolean (True = may attend) or floats to add to the scaled scores; broadcasts to (..., n, m).
        scale: What the scores are multiplied by; 1 / sqrt(d_k) if not given.

    Returns:
        The output (..., n, d_v) and the weights (..., n, m). A query with every key blocked gets zeros.

    Raises:
        ValueError: If the shapes do not fit.
        TypeError: If the mask is neither boolean nor floats.
    """
    q, k, v = checks.matrix("Q", Q), checks.matrix("K", K), checks.matrix("V", V)
    checks.same_rows("K", k, "V", v)
    raw = scores(q, k)  # (..., n, m)
    s = scaled(raw, width(q)) if scale is None else raw * scale  # (..., n, m)
    weights = softmax(masked(s, mask))  # (..., n, m)
    return mixed(weights, v), weights  # (..., n, d_v), (..., n, m)
