import numpy as np


def padding_mask(lengths, m):
    keys = np.arange(m)
    real = np.asarray(lengths)
    return keys[None, :] < real[:, None]
