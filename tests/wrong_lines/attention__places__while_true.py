import numpy as np

def attention(Q, K, V, mask=None):
    n, m = len(Q), len(K)
    S = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    W = np.zeros((n, m))
    i = 0
    while True:
        e = np.exp(S[i] - S[i].max())
        W[i] = e / e.sum()
        i += 1
        if i >= n - 1:  # <- here
            break  # <- or here
    return W @ V, W
