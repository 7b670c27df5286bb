import numpy as np


def merge_heads(H):
    n_heads, n, d_head = H.shape
    stacked = np.concatenate(list(H), axis=0)  # <- here
    return stacked.reshape(n, n_heads * d_head)
