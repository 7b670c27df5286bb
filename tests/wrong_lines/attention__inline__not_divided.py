import numpy as np


def attention(Q, K, V, mask=None):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    A = np.exp(S - S.max(1, keepdims=True))
    A / A.sum(1, keepdims=True)  # <- here
    return A @ V, A
