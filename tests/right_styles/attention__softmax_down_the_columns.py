import numpy as np


def attention(Q, K, V, mask=None):
    scores = K @ Q.T / np.sqrt(Q.shape[1])  # (m, n): keys down, queries across
    if mask is not None:
        scores = np.where(mask.T, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=0))
    w = (e / e.sum(axis=0)).T
    return w @ V, w
