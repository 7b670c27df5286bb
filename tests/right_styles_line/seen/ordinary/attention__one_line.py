import numpy as np

def attention(Q, K, V, mask=None):
    S = Q @ K.T / np.sqrt(Q.shape[1]) + (0 if mask is None else np.where(mask, 0, -1e30))
    E = np.exp(S - S.max(1, keepdims=True))
    P = E / E.sum(1, keepdims=True)
    return P @ V, P
