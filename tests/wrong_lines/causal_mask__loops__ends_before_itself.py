import numpy as np


def causal_mask(n):
    m = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(i):  # <- here
            m[i, j] = True
    return m
