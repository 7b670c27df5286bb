import numpy as np

def split_heads(X, n_heads):
    n, d = X.shape
    size = d // n_heads
    out = np.zeros((n_heads, n, size))
    for h in range(n_heads):
        for t in range(n):
            piece = X[t, h * size:(h + 1) * size]
        out[h, t] = piece  # <- here
    return out
