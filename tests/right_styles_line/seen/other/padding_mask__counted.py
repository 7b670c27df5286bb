import numpy as np

def padding_mask(lengths, m):
    return np.array([[j < n for j in range(m)] for n in lengths])
