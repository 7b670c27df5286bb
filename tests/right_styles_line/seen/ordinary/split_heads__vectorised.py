import numpy as np


def split_heads(X, n_heads):
    n, d_model = X.shape
    d_head = d_model // n_heads
    blocks = X.reshape(n, n_heads, d_head)
    return np.transpose(blocks, (1, 0, 2))
