# problem: causal_mask
# variant: causal_mask@default.e7c55fd1.0.0
# lang: en

"""35 · Write the causal mask

The causal mask for n tokens: token i may read the tokens 0 to i, itself included, and
none after it.

Row i is the token that receives, column j the token that is read. Return a boolean
array (dtype bool, not numbers).

Replace `raise NotImplementedError` and check: `grade 35_causal_mask.py`
"""

import numpy as np


def causal_mask(n: int) -> np.ndarray:
    """Write the causal mask

    n  int
    returns mask (n, n) bool

    True in a mask means allowed: the query may attend to that key.
    """
    raise NotImplementedError
