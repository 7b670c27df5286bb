import numpy as np

def padding_mask(lengths, m):
    mask = np.zeros((len(lengths), m))  # <- here
    for b, length in enumerate(lengths):
        for j in range(length):
            mask[b, j] = True
    return mask
