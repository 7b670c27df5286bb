import numpy as np

def attention(Q, K, V, mask=None):
    n, m = len(Q), len(K)
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        scores[~mask] = -np.inf
    weights = scores  # <- here
    for i in range(n):
        for j in range(m):
            weights[i, j] = np.exp(scores[i, j] - scores[i].max()) / np.exp(scores[i] - scores[i].max()).sum()  # <- or here
    return weights @ V, weights
