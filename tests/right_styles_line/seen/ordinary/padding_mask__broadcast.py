import numpy as np

def padding_mask(lengths, m):
    positions = np.arange(m).reshape(1, m)
    lengths = np.array(lengths).reshape(-1, 1)
    return positions < lengths
