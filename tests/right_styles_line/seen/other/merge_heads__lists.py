import numpy as np


def merge_heads(H):
    parts = [head for head in H]
    return np.concatenate(parts, axis=1)
