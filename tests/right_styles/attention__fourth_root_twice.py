import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    root = Q.shape[1] ** 0.25
    scores = (Q / root) @ (K / root).T
    if mask is not None:
        scores[~mask] = -np.inf
    w = softmax(scores)
    return w @ V, w
