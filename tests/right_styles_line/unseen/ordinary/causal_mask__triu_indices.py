import numpy as np

def causal_mask(n):
    mask = np.full((n, n), True)
    above = np.triu_indices(n, 1)
    mask[above] = False
    return mask
