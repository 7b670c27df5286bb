import numpy as np

def padding_mask(lengths, m):
    batch = len(lengths)
    index = np.tile(np.arange(m), (batch, 1))
    limit = np.array(lengths).reshape(batch, 1)
    mask = np.less(index, limit)
    return mask
