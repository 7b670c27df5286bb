import numpy as np


def causal_mask(n):
    queries = np.arange(n).reshape(n, 1)
    keys = np.arange(n).reshape(1, n)
    return np.greater_equal(queries, keys)
