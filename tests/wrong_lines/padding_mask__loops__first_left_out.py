import numpy as np


def padding_mask(lengths, m):
    mask = np.zeros((len(lengths), m), dtype=bool)
    for b, length in enumerate(lengths[1:]):  # <- here
        mask[b, :length] = True
    return mask
