import numpy as np


def merge_heads(H):
    n_heads, n, d_head = H.shape
    return H.reshape(n, n_heads * d_head)  # <- here
