# problem: attention
# variant: attention@default.81030502.0.0
# lang: en

"""37 · Write attention

Scaled dot-product attention with one head.

Scores Q Kᵀ, divided by √d_k (d_k is the width of a query); blocked keys get no weight;
softmax along each row, over the keys; the output mixes the rows of V with these
weights. Q, K and V are projected already.

The mask is a boolean array, or None for no mask; row i is the query, column j the key.
Every query may read at least one key. Scores can be large.

Return the pair (output, weights), in this order.

Replace `raise NotImplementedError` and check: `grade 37_attention.py`
"""

import numpy as np


def attention(
    Q: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Write attention

    Q     (n, d_k)
    K     (m, d_k)
    V     (m, d_v)
    mask  (n, m) bool or None
    returns output (n, d_v) and weights (n, m)

    True in a mask means allowed: the query may attend to that key.
    """
    raise NotImplementedError
