import numpy as np

def fill(mask, i):
    for j in range(i + 2):  # <- here
        if j < len(mask):
            mask[i, j] = True

def causal_mask(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        fill(mask, i)
    return mask
