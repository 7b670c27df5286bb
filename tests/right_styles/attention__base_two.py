import numpy as np


def attention(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(Q.shape[1]) * np.log2(np.e)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp2(scores - scores.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w
