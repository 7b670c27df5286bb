import numpy as np

def padding_mask(lengths, m):
    pos = np.arange(m)[None, :]
    mask = pos < lengths[:, None]
    mask = mask.astype(int)  # <- here
    return mask
