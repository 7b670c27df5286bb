import numpy as np

def causal_mask(n):
    m = np.ones((n, n), dtype=bool)
    for i in range(n):
        for j in range(i + 2, n):  # <- here
            m[i, j] = False
    return m
