import numpy as np

def padding_mask(lengths, m):
    B = len(lengths)
    mask = np.zeros((m, B), dtype=bool)  # <- here
    for b in range(B):
        mask[:lengths[b], b] = True  # <- here
    return mask
