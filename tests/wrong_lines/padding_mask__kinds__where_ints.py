import numpy as np

def padding_mask(lengths, m):
    pos = np.arange(m)
    mask = np.where(pos[None, :] < lengths[:, None], 1, 0)  # <- here
    return mask
