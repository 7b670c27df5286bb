import numpy as np


def merge_heads(H):
    return np.hstack([H[h] for h in range(H.shape[0])])
