import numpy as np

def attention(Q, K, V, mask=None):
    n, m = len(Q), len(K)
    S = Q @ K.T / np.sqrt(Q.shape[1])
    for i in range(n):
        for j in range(m):
            if mask is not None and not mask[i, j]:
                S[i, j] = -np.inf
                break  # <- here
    E = np.exp(S - S.max(axis=1, keepdims=True))
    W = E / E.sum(axis=1, keepdims=True)
    return W @ V, W
