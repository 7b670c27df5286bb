import numpy as np


def causal_mask(n):
    mask = np.zeros((n, n), dtype=bool)
    for row in range(n):
        mask[row, : row + 1] = True
    return mask
