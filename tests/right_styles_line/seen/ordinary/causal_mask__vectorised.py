import numpy as np


def causal_mask(n):
    positions = np.arange(n)
    return positions[None, :] <= positions[:, None]
