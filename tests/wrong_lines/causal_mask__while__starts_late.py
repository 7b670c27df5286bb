import numpy as np


def causal_mask(n):
    m = np.zeros((n, n), dtype=bool)
    i = 1  # <- here
    while i < n:
        m[i, :i + 1] = True
        i += 1
    return m
