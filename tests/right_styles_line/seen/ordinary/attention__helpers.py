import numpy as np


def compute_logits(queries, keys):
    width = queries.shape[-1]
    return np.matmul(queries, np.swapaxes(keys, -1, -2)) / np.sqrt(width)


def apply_mask(logits, mask):
    if mask is None:
        return logits
    return np.where(mask, logits, -1e30)


def normalise(logits):
    stable = logits - np.amax(logits, axis=-1, keepdims=True)
    exponentials = np.exp(stable)
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    logits = compute_logits(Q, K)
    logits = apply_mask(logits, mask)
    weights = normalise(logits)
    mixed = np.matmul(weights, V)
    return mixed, weights
