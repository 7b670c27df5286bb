import numpy as np

def scores(Q, K):
    n, d = Q.shape
    m = len(K)
    S = np.zeros((n, m))
    i = 0
    while i < n:
        j = 0
        while j < m - 1:  # <- here
            S[i, j] = Q[i] @ K[j]
            j += 1
        i += 1
    return S
