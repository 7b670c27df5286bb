import numpy as np


def attention(Q, K, V, mask=None):
    logits = Q.dot(K.T) / Q.shape[1] ** 0.5
    if mask is not None:
        logits = logits + np.where(mask, 0.0, -1e30)
    logits = logits - logits.max(axis=1, keepdims=True)
    weights = np.exp(logits)
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights.dot(V), weights
