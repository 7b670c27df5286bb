import numpy as np

def attention(Q, K, V, mask=None):
    n, m = len(Q), len(K)
    if mask is None:
        mask = np.ones((n, m), dtype=bool)
    W = np.zeros((n, m))
    for i in range(n):
        allowed = np.flatnonzero(mask[i])
        s = Q[i] @ K[allowed].T / np.sqrt(Q.shape[1])
        e = np.exp(s - s.max())
        W[i, allowed] = e / e.sum()
    return W @ V, W
