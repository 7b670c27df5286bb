import numpy as np

def padding_mask(lengths, m):
    mask = np.zeros((len(lengths), m), dtype=bool)
    for b in range(len(lengths)):
        for j in range(m):
            if j < lengths[b]:
                mask[b, j] = True
            else:
                return mask  # <- here
    return mask
