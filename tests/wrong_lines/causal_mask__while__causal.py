import numpy as np

def causal_mask(n):
    mask = np.zeros((n, n), dtype=bool)
    i = 0
    while i < n:
        j = 0
        while j < i:  # <- here
            mask[i, j] = True
            j += 1
        i += 1
    return mask
