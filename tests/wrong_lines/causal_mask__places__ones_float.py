import numpy as np

def causal_mask(n):
    allowed = np.ones((n, n))  # <- here
    for q in range(n):
        for k in range(q + 1, n):
            allowed[q, k] = 0
    return allowed
