import numpy as np


def padding_mask(lengths, m):
    positions = np.arange(m)
    return positions[None, :] <= np.asarray(lengths)[:, None]  # <- here
