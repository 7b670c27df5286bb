import numpy as np


def attention(Q, K, V, mask=None):
    n, m = Q.shape[0], K.shape[0]
    weights = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            weights[i, j] = Q[i] @ K[j] / np.sqrt(Q.shape[1])
            if mask is not None and not mask[i, j]:
                weights[i, j] = -np.inf
        weights[i] = np.exp(weights[i] - weights[i].max())
        weights[i] = weights[i] / weights[:, i].sum()  # <- here
    return weights @ V, weights
