import numpy as np

def causal_mask(n):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            if j == i:  # <- here
                break  # <- or here
            mask[i, j] = True
    return mask
