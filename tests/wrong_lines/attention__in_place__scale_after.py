import numpy as np


def attention(Q, K, V, mask=None):
    s = Q @ K.T
    if mask is not None:
        s[~mask] = -np.inf
    s -= s.max(axis=-1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(axis=-1, keepdims=True)
    s /= np.sqrt(Q.shape[1])  # <- here
    return s @ V, s
