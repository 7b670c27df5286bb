import numpy as np

def padding_mask(lengths, m):
    mask = np.zeros((len(lengths), m), dtype=bool)
    for b in range(len(lengths)):
        n = lengths[b]
    mask[b, :n] = True  # <- here
    return mask
