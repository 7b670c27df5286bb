import numpy as np


def scores(Q, K):
    n, d = Q.shape
    m = K.shape[0]
    S = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            dot = 0.0
            for c in range(d):
                dot += Q[i, c] * K[j, c]
            S[i, j] = dot
    return S
