import numpy as np

def padding_mask(lengths, m):
    B = lengths.shape[0]
    out = np.ones((B, m))  # <- here
    for b in range(B):
        out[b, lengths[b]:] = 0
    return out
