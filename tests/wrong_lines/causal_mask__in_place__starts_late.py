import numpy as np


def causal_mask(n):
    m = np.zeros((n, n), dtype=bool)
    for i in range(1, n):  # <- here
        m[i, :i + 1] = True
    return m
