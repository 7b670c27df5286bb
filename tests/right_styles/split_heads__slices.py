import numpy as np


def split_heads(X, n_heads):
    return np.stack(np.split(X, n_heads, axis=1))
