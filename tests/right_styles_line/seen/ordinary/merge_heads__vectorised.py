import numpy as np


def merge_heads(H):
    n_heads, n, d_head = H.shape
    rows = np.swapaxes(H, 0, 1)
    return rows.reshape(n, n_heads * d_head)
