import numpy as np


def merge_heads(H):
    mean = H.mean(axis=0)
    return np.tile(mean, (1, H.shape[0]))  # <- here
