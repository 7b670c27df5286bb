import numpy as np


def get_scores(q, k):
    dim = q.shape[-1]
    return np.matmul(q, k.T) / np.sqrt(dim)


def hide(scores, mask):
    if mask is None:
        return scores
    hidden = scores.copy()
    hidden[np.logical_not(mask)] = -np.inf
    return hidden


def to_weights(scores):
    scores = scores - scores.max(axis=-1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = get_scores(Q, K)
    scores = hide(scores, mask)
    weights = to_weights(scores)
    return np.matmul(weights, V), weights
