import numpy as np

def padding_mask(lengths, m):
    batch = len(lengths)
    mask = np.zeros((batch, m), dtype=bool)
    for b in range(batch):
        mask[b, :lengths[b]] = True
    return mask
