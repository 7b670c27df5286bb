import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    s = Q @ K.T
    s = s / np.sqrt(d_k)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    weights = softmax(s)
    output = weights @ V
    return output, weights
