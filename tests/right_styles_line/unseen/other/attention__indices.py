import numpy as np

def attention(Q, K, V, mask=None):
    n, m = Q.shape[0], K.shape[0]
    weights = np.zeros((n, m))
    output = np.zeros((n, V.shape[1]))
    for i in range(n):
        exps = np.zeros(m)
        raw = K @ Q[i] / np.sqrt(Q.shape[1])
        if mask is not None:
            raw = np.where(mask[i], raw, -np.inf)
        highest = raw.max()
        for j in range(m):
            exps[j] = np.exp(raw[j] - highest)
        weights[i] = exps / exps.sum()
        output[i] = weights[i] @ V
    return output, weights
