import numpy as np

def padding_mask(lengths, m):
    out = []
    for length in lengths:
        row = []
        for position in range(m):
            row.append(1 if position < length else 0)  # <- here
        out.append(row)
    return np.array(out)
