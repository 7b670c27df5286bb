import numpy as np

def padding_mask(lengths, m):
    B = len(lengths)
    mask = np.zeros((B, m), dtype=int)  # <- here
    for b in range(B):
        mask[b, :lengths[b]] = 1
    return mask
