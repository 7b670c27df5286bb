import numpy as np

def causal_mask(n):
    mask = np.zeros((n, n), dtype=int)  # <- here
    for i in range(n):
        mask[i, :i + 1] = 1
    return mask
