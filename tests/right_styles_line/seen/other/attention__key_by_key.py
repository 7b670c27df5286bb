import numpy as np

def attention(Q, K, V, mask=None):
    S = np.stack([Q @ k for k in K], axis=1) / np.sqrt(K.shape[1])
    if mask is not None:
        S[~mask] = -np.inf
    S = S - S.max(axis=1, keepdims=True)
    W = np.exp(S)
    W = W / W.sum(axis=1, keepdims=True)
    out = sum(W[:, j : j + 1] * V[j] for j in range(len(V)))
    return out, W
