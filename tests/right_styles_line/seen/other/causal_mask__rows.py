import numpy as np

def causal_mask(n):
    rows = []
    for i in range(n):
        rows.append([True] * (i + 1) + [False] * (n - i - 1))
    return np.array(rows)
