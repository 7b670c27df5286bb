import numpy as np

def attention(Q, K, V, mask=None):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    n, m = S.shape
    for i in range(n):
        for j in range(m):
            if mask is None:
                continue
            elif i > 0 and not mask[i, j]:  # <- here
                S[i, j] = -np.inf
    E = np.exp(S - S.max(axis=1, keepdims=True))
    W = E / E.sum(axis=1, keepdims=True)
    return W @ V, W
