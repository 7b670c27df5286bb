import numpy as np

def attention(Q, K, V, mask=None):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        scores[~mask] = -np.inf
    weights = scores  # <- here
    for i in range(len(scores)):
        weights[i] = np.exp(scores[i] - scores[i].max())
        weights[i] = weights[i] / np.exp(scores[i]).sum()  # <- or here
    return weights @ V, weights
