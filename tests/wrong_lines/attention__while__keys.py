import numpy as np

def attention(Q, K, V, mask=None):
    n, m = len(Q), len(K)
    S = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    W = np.zeros((n, m))
    out = np.zeros((n, V.shape[1]))
    i = 0
    while i < n:
        e = np.exp(S[i] - S[i].max())
        W[i] = e / e.sum()
        j = 0
        while j < n:  # <- here
            out[i] += W[i, j] * V[j]
            j += 1
        i += 1
    return out, W
