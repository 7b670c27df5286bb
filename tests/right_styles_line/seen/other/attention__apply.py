import numpy as np


def row_softmax(row):
    powers = np.exp(row - np.max(row))
    return powers / np.sum(powers)


def attention(Q, K, V, mask=None):
    logits = np.tensordot(Q, K, axes=([1], [1])) / np.sqrt(Q.shape[1])
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    weights = np.apply_along_axis(row_softmax, 1, logits)
    output = np.tensordot(weights, V, axes=([1], [0]))
    return output, weights
