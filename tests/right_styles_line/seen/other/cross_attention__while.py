import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    k, v = X_kv @ Wk, X_kv @ Wv
    weights = np.zeros((len(X_q), len(X_kv)))
    i = 0
    while i < len(X_q):
        q = X_q[i] @ Wq
        s = k @ q / np.sqrt(len(q))
        if mask is not None:
            s[~mask[i]] = -np.inf
        e = np.exp(s - s.max())
        weights[i] = e / e.sum()
        i += 1
    return weights @ v, weights
