import numpy as np

def causal_mask(n):
    row, col = np.indices((n, n))
    allowed = col <= row
    return allowed
