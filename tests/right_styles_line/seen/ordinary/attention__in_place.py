import numpy as np


def attention(Q, K, V, mask=None):
    s = Q @ K.T
    s /= np.sqrt(K.shape[1])
    if mask is not None:
        s[~mask] = -np.inf
    s -= s.max(axis=-1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(axis=-1, keepdims=True)
    out = np.empty((Q.shape[0], V.shape[1]))
    np.matmul(s, V, out=out)
    return out, s
