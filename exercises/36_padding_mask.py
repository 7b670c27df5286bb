# problem: padding_mask
# variant: padding_mask@default.68c9d92b.0.0
# lang: en

"""36 · Write the padding mask

Sequences of different lengths were filled up to the same length m, so that they fit
into one array. Sequence b has lengths[b] real tokens at the front (at least one);
everything after them is filling.

Return a boolean array (dtype bool), one row per sequence, one column per key.

Replace `raise NotImplementedError` and check: `grade 36_padding_mask.py`
"""

import numpy as np


def padding_mask(lengths: np.ndarray, m: int) -> np.ndarray:
    """Write the padding mask

    lengths  (B,) int
    m        int
    returns mask (B, m) bool

    True in a mask means allowed: the query may attend to that key.
    """
    raise NotImplementedError
