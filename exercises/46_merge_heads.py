# problem: merge_heads
# variant: merge_heads@default.a7c5f727.0.0
# lang: en

"""46 · Write merge_heads

Put the heads' results back side by side: the inverse of split_heads.

H[h] is the (n, d_head) matrix of head h. Row i of the result is row i of head 0, then
row i of head 1, and so on.

Replace `raise NotImplementedError` and check: `grade 46_merge_heads.py`
"""

import numpy as np


def merge_heads(H: np.ndarray) -> np.ndarray:
    """Write merge_heads

    H  (n_heads, n, d_head)
    returns concat (n, n_heads * d_head)
    """
    raise NotImplementedError
