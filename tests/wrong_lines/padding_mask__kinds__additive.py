import numpy as np

def padding_mask(lengths, m):
    pos = np.arange(m)[None, :]
    ok = pos < lengths[:, None]
    mask = np.where(ok, 0.0, -np.inf)  # <- here
    return mask
