import numpy as np

def causal_mask(n):
    ones = np.ones((n, n))
    lower = np.tril(ones)
    return lower.astype(bool)
