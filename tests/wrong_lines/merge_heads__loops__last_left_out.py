import numpy as np


def merge_heads(H):
    out = H[0]
    for h in range(1, len(H) - 1):  # <- here
        out = np.concatenate([out, H[h]], axis=1)
    return out
