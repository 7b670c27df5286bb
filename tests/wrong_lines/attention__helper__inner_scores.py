import numpy as np

def scores(Q, K):
    S = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for c in range(Q.shape[1] - 1):  # <- here
                S[i, j] += Q[i, c] * K[j, c]
    return S

def attention(Q, K, V, mask=None):
    s = scores(Q, K) / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w
