import numpy as np


def attention(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        masked = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))  # <- here
    weights = e / e.sum(axis=-1, keepdims=True)
    output = weights @ V
    return output, weights
