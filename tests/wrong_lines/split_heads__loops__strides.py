import numpy as np


def split_heads(X, n_heads):
    heads = []
    for h in range(n_heads):
        heads.append(X[:, h::n_heads])  # <- here
    return np.array(heads)
