import numpy as np

def padding_mask(lengths, m):
    lengths = np.asarray(lengths)
    key = np.arange(m)
    column = lengths[:, np.newaxis]
    return np.where(key < column, True, False)
