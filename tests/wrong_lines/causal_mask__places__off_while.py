import numpy as np

def causal_mask(n):
    mask = np.full((n, n), True)
    row = 0
    while row < n:
        col = row  # <- here
        while col < n:
            mask[row, col] = False
            col += 1
        row += 1
    return mask
