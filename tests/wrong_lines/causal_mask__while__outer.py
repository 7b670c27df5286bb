import numpy as np

def causal_mask(n):
    mask = np.zeros((n, n), dtype=bool)
    i = 0
    while i < n - 1:  # <- here
        mask[i, :i + 1] = True
        i += 1
    return mask
