import numpy as np

def merge_heads(H):
    heads, n, size = H.shape
    out = np.zeros((n, heads * size))
    for h in range(heads):
        first = h * heads  # <- here
        out[:, first:first + size] = H[h]
    return out
