# problem: cross_attention
# variant: cross_attention@default.dfb7281c.0.0
# lang: en

"""53 · Write cross-attention

Cross-attention with one head: the tokens of X_q read the tokens of X_kv.

Queries come from X_q (decoder side), keys and values from X_kv (encoder output). Then
attention as usual: scores divided by √d_k, softmax along each row, over the keys, and
the values mixed with these weights. There is no bias.

The mask is a boolean (n, m) array, or None; row i is the query, column j the key.
Every query may read at least one key. Return the pair (output, weights).

Replace `raise NotImplementedError` and check: `grade 53_cross_attention.py`
"""

import numpy as np


def cross_attention(
    X_q: np.ndarray,
    X_kv: np.ndarray,
    Wq: np.ndarray,
    Wk: np.ndarray,
    Wv: np.ndarray,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Write cross-attention

    X_q   (n, d_model)
    X_kv  (m, d_model)
    Wq    (d_model, d_k)
    Wk    (d_model, d_k)
    Wv    (d_model, d_v)
    mask  (n, m) bool or None
    returns output (n, d_v) and weights (n, m)

    True in a mask means allowed: the query may attend to that key.
    Weight matrices are stored [in, out]: a projection is X @ W.
    """
    raise NotImplementedError
