# problem: split_heads
# variant: split_heads@default.5e0e2549.0.0
# lang: en

"""45 · Write split_heads

Cut the columns of X into heads.

Head h takes the h-th block of d_head = d_model / n_heads neighbouring columns, for
every token; heads and tokens are counted from 0. The result has the head axis in front:
result[h] is the (n, d_head) matrix of head h. n_heads divides d_model.

Replace `raise NotImplementedError` and check: `grade 45_split_heads.py`
"""

import numpy as np


def split_heads(X: np.ndarray, n_heads: int) -> np.ndarray:
    """Write split_heads

    X        (n, d_model)
    n_heads  int
    returns heads (n_heads, n, d_head)
    """
    raise NotImplementedError
