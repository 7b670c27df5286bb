import numpy as np

def dot(a, b, n):
    s = 0.0
    for k in range(n):
        s += a[k] * b[k]
    return s

def scores(Q, K):
    n, d = Q.shape
    out = np.zeros((n, len(K)))
    for i in range(n):
        for j in range(len(K)):
            out[i, j] = dot(Q[i], K[j], n)  # <- here
    return out
