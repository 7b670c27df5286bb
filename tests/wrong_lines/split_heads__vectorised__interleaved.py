import numpy as np


def split_heads(X, n_heads):
    n, d_model = X.shape
    blocks = X.reshape(n, d_model // n_heads, n_heads)  # <- or here
    return blocks.transpose(2, 0, 1)  # <- here
