"""Everything from numpy under its own name."""

from numpy import *


def attention(Q, K, V, mask=None):
    scores = dot(Q, K.T) / sqrt(Q.shape[1])
    if mask is not None:
        scores = where(mask, scores, -inf)
    weights = exp(scores - amax(scores, axis=1, keepdims=True))
    weights = weights / sum(weights, axis=1, keepdims=True)
    return dot(weights, V), weights
