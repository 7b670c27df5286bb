import numpy as np


def softmax(scores):
    e = np.exp(scores - np.max(scores, axis=0))  # <- or here
    return e / np.sum(e, axis=0)  # <- here


def attention(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights
