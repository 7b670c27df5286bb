import numpy as np


def attention(Q, K, V, mask=None):
    """One key after the other, with a running maximum and sum."""
    n, m = Q.shape[0], K.shape[0]
    logits = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    top = np.full((n, 1), -1e300)
    total = np.zeros((n, 1))
    acc = np.zeros((n, V.shape[1]))
    for j in range(m):
        column = logits[:, j : j + 1]
        new_top = np.maximum(top, column)
        fade = np.exp(top - new_top)
        power = np.exp(column - new_top)
        total = total * fade + power
        acc = acc * fade + power * V[j]
        top = new_top
    weights = np.exp(logits - top) / total
    return acc / total, weights
