import numpy as np


def attention(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    w = e / (e.sum(axis=1, keepdims=True) + 1e-12)
    return w @ V, w
