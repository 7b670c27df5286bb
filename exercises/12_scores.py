# problem: scores
# variant: scores@default.07848af6.0.0
# lang: en

"""12 · Write the raw scores

The raw scores of every query against every key.

Row i of the result belongs to query i, column j to key j; the number there is the dot
product of query i and key j. Do not scale: dividing by √d_k is a later step.

Replace `raise NotImplementedError` and check: `grade 12_scores.py`
"""

import numpy as np


def scores(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Write the raw scores

    Q  (n, d_k)
    K  (m, d_k)
    returns scores (n, m)
    """
    raise NotImplementedError
