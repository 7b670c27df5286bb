import numpy as np


def split_heads(X, n_heads):
    d_head = X.shape[1] // n_heads
    heads = [X[:, start : start + d_head] for start in range(0, X.shape[1], d_head)]
    return np.array(heads)
