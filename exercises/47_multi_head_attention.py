# problem: multi_head_attention
# variant: multi_head_attention@default.bd8d5c0b.0.0
# lang: en

"""47 · Write multi-head attention

Self-attention with several heads, and the output projection.

Project X to Q, K and V; head h takes the h-th block of d_head = d_model / n_heads
neighbouring columns of each; attention inside every head, scaled by √d_head; the heads'
outputs side by side in order; then the output projection Wo. There is no bias.

The mask is a boolean (n, n) array for all heads, or None; row i is the query, column j
the key. Every token may read at least one token.

Replace `raise NotImplementedError` and check: `grade 47_multi_head_attention.py`
"""

import numpy as np


def multi_head_attention(
    X: np.ndarray,
    Wq: np.ndarray,
    Wk: np.ndarray,
    Wv: np.ndarray,
    Wo: np.ndarray,
    n_heads: int,
    mask: np.ndarray | None = None,
) -> np.ndarray:
    """Write multi-head attention

    X        (n, d_model)
    Wq       (d_model, d_model)
    Wk       (d_model, d_model)
    Wv       (d_model, d_model)
    Wo       (d_model, d_model)
    n_heads  int
    mask     (n, n) bool or None
    returns output (n, d_model)

    True in a mask means allowed: the query may attend to that key.
    Weight matrices are stored [in, out]: a projection is X @ W.
    """
    raise NotImplementedError
