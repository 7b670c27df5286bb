import numpy as np

def padding_mask(lengths, m):
    result = np.zeros((m, len(lengths)), dtype=bool)  # <- here
    for pos in range(m):
        for b in range(len(lengths)):
            if pos < lengths[b]:
                result[pos][b] = True  # <- or here
    return result
