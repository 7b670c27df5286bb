import numpy as np

def causal_mask(n):
    future = np.triu(np.ones((n, n), dtype=bool), k=1)
    return ~future
