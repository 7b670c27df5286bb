import numpy as np

def split_heads(X, n_heads):
    n, d_model = X.shape
    d_head = d_model // n_heads
    out = np.empty((n_heads, n, d_head))
    for h in range(n_heads):
        start = h * d_head
        stop = start + d_head
        out[h] = X[:, start:stop]
    return out
