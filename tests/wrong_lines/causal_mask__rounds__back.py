import numpy as np

def causal_mask(n):
    m = np.ones((n, n), dtype=bool)
    for i in range(n):
        for j in range(n - 1, i - 1, -1):  # <- here
            m[i, j] = False
    return m
