import numpy as np

def scores(Q, K):
    n, m = len(Q), len(K)
    out = np.zeros((m, n))  # <- here
    for i in range(n):
        for j in range(m):
            out[j, i] = Q[i] @ K[j]  # <- here
    return out
