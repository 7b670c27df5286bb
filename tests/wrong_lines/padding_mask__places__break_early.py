import numpy as np

def padding_mask(lengths, m):
    mask = np.zeros((len(lengths), m), dtype=bool)
    for b, n in enumerate(lengths):
        for j in range(m):
            if j >= n - 1:  # <- here
                break  # <- or here
            mask[b, j] = True
    return mask
