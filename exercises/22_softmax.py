# problem: softmax
# variant: softmax@default.1c17dc9b.0.0
# lang: en

"""22 · Write softmax

Turn scores into weights with softmax, along the last axis.

Every row of the last axis becomes positive numbers that add up to 1: exp(x) divided by
the sum of the exponentials of that same row. `x` is a float array with one axis or
more; the result has the same shape.

It must also work for large scores (1000 and more) and for very negative ones, without
nan and without overflow.

Replace `raise NotImplementedError` and check: `grade 22_softmax.py`
"""

import numpy as np


def softmax(x: np.ndarray) -> np.ndarray:
    """Write softmax

    x  (..., m)
    returns weights (..., m)
    """
    raise NotImplementedError
