import numpy as np


def merge_heads(H):
    n_heads, n, d_head = H.shape
    out = np.zeros((n, n_heads * d_head))
    for h in range(n_heads):
        for i in range(n):
            for c in range(d_head):
                out[i, h * d_head + c] = H[h, i, c]
    return out
