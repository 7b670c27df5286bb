import numpy as np

def causal_mask(n):
    table = [[False] * n] * n  # <- here
    for q in range(n):
        for k in range(q + 1):
            table[q][k] = True
    return np.array(table)
