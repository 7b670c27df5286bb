import numpy as np

def attention(Q, K, V, mask=None):
    S = K @ Q.T
    S = S / np.sqrt(Q.shape[1])
    if mask is not None:
        S = np.where(mask.T, S, -np.inf)
    E = np.exp(S - S.max(axis=0))
    P = E / E.sum(axis=0)
    return P.T @ V, P.T
