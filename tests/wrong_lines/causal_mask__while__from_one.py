import numpy as np

def causal_mask(n):
    mask = np.zeros((n, n), dtype=bool)
    i = 1  # <- here
    while i < n:
        mask[i, :i + 1] = True
        i += 1
    return mask
