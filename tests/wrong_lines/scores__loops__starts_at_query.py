import numpy as np


def scores(Q, K):
    n, m = len(Q), len(K)
    S = np.zeros((n, m))
    for i in range(n):
        for j in range(i, m):  # <- here
            S[i, j] = Q[i] @ K[j]
    return S
