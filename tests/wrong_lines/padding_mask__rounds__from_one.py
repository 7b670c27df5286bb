import numpy as np

def padding_mask(lengths, m):
    out = np.zeros((len(lengths), m), dtype=bool)
    for b in range(len(lengths)):
        for j in range(1, lengths[b] + 1):  # <- here
            if j < m:
                out[b, j] = True
    return out
