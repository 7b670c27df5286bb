import numpy as np


def attention(Q, K, V, mask=None):
    scores = np.dot(Q, K.T) / np.sqrt(K.shape[1])
    if mask is not None:
        scores[~mask] = -1e30
    exps = np.exp(scores - scores.max(axis=-1))  # <- or here
    weights = exps / exps.sum(axis=-1)  # <- here
    return weights @ V, weights
