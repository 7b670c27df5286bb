import numpy as np

def merge_heads(H):
    h, n, d = H.shape
    out = np.zeros((n, h * d))
    for t in range(n):
        for g in range(h):
            part = H[g, t]
        out[t, g * d:(g + 1) * d] = part  # <- here
    return out
