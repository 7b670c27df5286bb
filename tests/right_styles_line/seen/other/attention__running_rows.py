import numpy as np

def weights_of_row(q, K, allowed):
    s = np.array([np.dot(q, k) for k in K]) / np.sqrt(len(q))
    if allowed is not None:
        s[~allowed] = -np.inf
    s = s - s.max()
    p = np.exp(s)
    return p / p.sum()

def attention(Q, K, V, mask=None):
    W = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        allowed = None if mask is None else mask[i]
        W[i] = weights_of_row(Q[i], K, allowed)
    return W @ V, W
