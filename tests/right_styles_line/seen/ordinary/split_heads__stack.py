import numpy as np


def split_heads(X, n_heads):
    pieces = np.split(X, n_heads, axis=1)
    return np.stack(pieces)
