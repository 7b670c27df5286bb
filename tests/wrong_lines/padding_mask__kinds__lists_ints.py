import numpy as np

def padding_mask(lengths, m):
    rows = []
    for n in lengths:
        rows.append([1] * n + [0] * (m - n))  # <- here
    return np.array(rows)  # <- or here
