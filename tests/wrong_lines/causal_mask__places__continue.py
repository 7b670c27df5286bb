import numpy as np

def causal_mask(n):
    grid = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            if j >= i:  # <- here
                continue  # <- or here
            grid[i, j] = True
    return grid
