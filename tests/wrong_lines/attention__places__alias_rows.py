import numpy as np

def attention(Q, K, V, mask=None):
    n, m = len(Q), len(K)
    W = [[0.0] * m] * n  # <- here
    S = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    for i in range(n):
        e = np.exp(S[i] - S[i].max())
        for j in range(m):
            W[i][j] = e[j] / e.sum()
    W = np.array(W)
    return W @ V, W
