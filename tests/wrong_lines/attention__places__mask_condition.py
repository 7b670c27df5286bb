import numpy as np

def attention(Q, K, V, mask=None):
    n, m = Q.shape[0], K.shape[0]
    logits = Q @ K.T / np.sqrt(Q.shape[1])
    for i in range(n):
        for j in range(m):
            if mask is not None and i != j and not mask[i, j]:  # <- here
                logits[i, j] = -np.inf
    logits -= logits.max(axis=1, keepdims=True)
    probs = np.exp(logits)
    probs /= probs.sum(axis=1, keepdims=True)
    return probs @ V, probs
