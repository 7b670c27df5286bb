import numpy as np


def merge_heads(H):
    return np.concatenate(list(H), axis=-1)
