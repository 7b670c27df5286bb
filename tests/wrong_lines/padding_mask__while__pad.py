import numpy as np

def padding_mask(lengths, m):
    mask = np.zeros((len(lengths), m), dtype=bool)
    b = 0
    while b < len(lengths):
        j = 0
        while j <= lengths[b] and j < m:  # <- here
            mask[b, j] = True
            j = j + 1
        b = b + 1
    return mask
