import numpy as np


def causal_mask(n):
    ones = np.ones((n, n), dtype=bool)
    return np.triu(ones)  # <- here
