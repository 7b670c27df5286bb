import numpy as np


def causal_mask(n):
    mask = np.ones((n, n), dtype=bool)
    future = np.triu_indices(n, k=1)
    mask[future] = False
    return mask
