import numpy as np


def merge_heads(H):
    parts = []
    for h in range(len(H) - 1):  # <- here
        parts.append(H[h])
    return np.concatenate(parts, axis=1)
