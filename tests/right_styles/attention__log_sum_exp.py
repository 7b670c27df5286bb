import numpy as np


def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    top = s.max(axis=1, keepdims=True)
    w = np.exp(s - top - np.log(np.exp(s - top).sum(axis=1, keepdims=True)))
    return w @ V, w
