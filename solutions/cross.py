"""Cross-attention: queries from one sequence, keys and values from another."""

from typing import Any

from solutions.checks import Floats
from solutions.one_head import attention, projected


def cross_attention(  # noqa: PLR0917 -- that many inputs, in this order
    X_q: Any, X_kv: Any, Wq: Any, Wk: Any, Wv: Any, mask: Any = None
) -> tuple[Floats, Floats]:
    """The decoder's tokens read the encoder's.

    Args:
        X_q: The sequence that asks (decoder side), (..., n, d_q).
        X_kv: The sequence that is read (encoder output), (..., m, d_kv).
        Wq: Query weights, (d_q, d_k).
        Wk: Key weights, (d_kv, d_k).
        Wv: Value weights, (d_kv, d_v).
        mask: None, boolean (True = may attend) or floats to add; broadcasts to (..., n, m).

    Returns:
        The output (..., n, d_v) and the weights (..., n, m).

    Raises:
        ValueError: If the shapes do not fit.
        TypeError: If the mask is neither boolean nor floats.
    """
    return attention(projected(X_q, Wq), projected(X_kv, Wk), projected(X_kv, Wv), mask)
