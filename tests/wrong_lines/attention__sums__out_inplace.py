import numpy as np

def attention(Q, K, V, mask=None):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    W = E / E.sum(axis=1, keepdims=True)
    out = np.zeros((len(Q), V.shape[1]))
    mixed = np.zeros(V.shape[1])  # <- here
    for i in range(len(Q)):
        for j in range(len(K)):
            mixed += W[i, j] * V[j]
        out[i] = mixed
    return out, W
