import numpy as np

def rows(Q, K, mask):
    for i, q in enumerate(Q):
        s = K.dot(q) / np.sqrt(K.shape[1])
        if mask is not None:
            s[~mask[i]] = -np.inf
        p = np.exp(s - s.max())
        yield p / p.sum()

def attention(Q, K, V, mask=None):
    weights = np.stack(list(rows(Q, K, mask)))
    return weights.dot(V), weights
