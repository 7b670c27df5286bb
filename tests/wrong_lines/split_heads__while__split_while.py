import numpy as np

def split_heads(X, n_heads):
    n, d = X.shape
    size = d // n_heads
    out = np.zeros((n_heads, n, size))
    h = 0
    start = 0
    while h < n_heads:
        out[h] = X[:, start:start + size]
        start += 1  # <- here
        h += 1
    return out
