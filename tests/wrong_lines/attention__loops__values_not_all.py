import numpy as np


def attention(Q, K, V, mask=None):
    n = Q.shape[0]
    m = K.shape[0]
    d_k = Q.shape[1]
    scores = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            scores[i, j] = Q[i] @ K[j] / np.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.zeros((n, m))
    for i in range(n):
        e = np.exp(scores[i] - scores[i].max())
        weights[i] = e / e.sum()
    output = np.zeros((n, V.shape[1]))
    for i in range(n):
        for j in range(n):  # <- here
            output[i] += weights[i, j] * V[j]
    return output, weights
