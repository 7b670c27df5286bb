import numpy as np


def additive(mask):
    bias = np.zeros(mask.shape)
    bias[~mask] = -np.inf
    return bias


def attention(Q, K, V, mask=None):
    scaled_q = Q / np.sqrt(Q.shape[-1])
    logits = scaled_q @ K.T
    if mask is not None:
        bias = additive(mask)
        logits = logits + bias
    peak = np.max(logits, axis=-1)
    numerators = np.exp(logits.T - peak).T
    denominators = np.sum(numerators, axis=-1)
    probabilities = numerators / denominators[:, None]
    return probabilities @ V, probabilities
