import numpy as np


def split_heads(X, n_heads):
    return np.moveaxis(X.reshape(len(X), n_heads, -1), 1, 0)
