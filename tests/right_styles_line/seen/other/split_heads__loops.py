import numpy as np


def split_heads(X, n_heads):
    n, d_model = X.shape
    width = d_model // n_heads
    heads = np.empty((n_heads, n, width))
    for h in range(n_heads):
        heads[h] = X[:, h * width : (h + 1) * width]
    return heads
