import numpy as np

def padding_mask(lengths, m):
    grid = np.tile(np.arange(m), (len(lengths), 1))
    mask = (grid < lengths.reshape(-1, 1)) * 1.0  # <- here
    return mask
