# problem: project_qkv
# variant: project_qkv@default.92fb7b35.0.0
# lang: en

"""07 · Write the three projections

Queries, keys and values of a whole sequence. Each row of X is one token; row i of every
result belongs to token i. There is no bias.

Replace `raise NotImplementedError` and check: `grade 07_project_qkv.py`
"""

import numpy as np


def project_qkv(
    X: np.ndarray,
    Wq: np.ndarray,
    Wk: np.ndarray,
    Wv: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Write the three projections

    X   (n, d_model)
    Wq  (d_model, d_k)
    Wk  (d_model, d_k)
    Wv  (d_model, d_v)
    returns Q (n, d_k) and K (n, d_k) and V (n, d_v)

    Weight matrices are stored [in, out]: a projection is X @ W.
    """
    raise NotImplementedError
