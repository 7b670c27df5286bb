import numpy as np

def attention(Q, K, V, mask=None):
    n, m = len(Q), len(K)
    W = np.zeros((n, m))
    for i in range(n):
        s = K @ Q[i] / np.sqrt(Q.shape[1])
        if mask is not None and i > 0:  # <- here
            s = np.where(mask[i], s, -np.inf)
        e = np.exp(s - s.max())
        W[i] = e / e.sum()
    return W @ V, W
