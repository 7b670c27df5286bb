import numpy as np

def padding_mask(lengths, m):
    lengths = np.asarray(lengths)
    result = np.array([np.concatenate([np.ones(l), np.zeros(m - l)]) for l in lengths])  # <- here
    return result
