import numpy as np

def split_heads(X, n_heads):
    n = X.shape[0]
    d_head = X.shape[1] // n_heads
    X4 = np.reshape(X, (n, n_heads, d_head))
    return np.einsum("nhd->hnd", X4)
