import math

import numpy as np


def attention(Q, K, V, mask=None):
    n, d = Q.shape
    m = K.shape[0]
    weights = np.zeros((n, m))
    output = np.zeros((n, V.shape[1]))
    for i in range(n):
        logits = np.full(m, -np.inf)
        for j in range(m):
            if mask is None or mask[i, j]:
                logits[j] = np.dot(Q[i], K[j]) / math.sqrt(d)
        powers = np.exp(logits - logits.max())
        weights[i] = powers / powers.sum()
        for j in range(m):
            output[i] += weights[i, j] * V[j]
    return output, weights
