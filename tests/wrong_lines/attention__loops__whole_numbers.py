import numpy as np


def attention(Q, K, V, mask=None):
    n, d = Q.shape
    m = K.shape[0]
    out = np.zeros((n, V.shape[1]))
    W = np.zeros((n, m), dtype=int)  # <- here
    for i in range(n):
        s = np.zeros(m)
        for j in range(m):
            s[j] = Q[i] @ K[j] / np.sqrt(d)
            if mask is not None and not mask[i, j]:
                s[j] = -np.inf
        e = np.exp(s - s.max())
        w = e / e.sum()
        W[i] = w
        out[i] = w @ V
    return out, W
