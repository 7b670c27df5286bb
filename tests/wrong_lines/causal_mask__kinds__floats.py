import numpy as np

def causal_mask(n):
    mask = np.tril(np.ones((n, n)))  # <- here
    return mask
