import numpy as np

def attention(Q, K, V, mask=None):
    keep = np.ones((Q.shape[0], K.shape[0])) if mask is None else mask.astype(float)
    s = np.einsum("nd,md->nm", Q, K) / np.sqrt(Q.shape[1])
    s = np.where(keep > 0, s, -1e30)
    s = s - s.max(axis=1, keepdims=True)
    p = np.exp(s) * keep
    z = p.sum(axis=1, keepdims=True)
    w = p / z
    return np.einsum("nm,md->nd", w, V), w
