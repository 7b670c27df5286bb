import numpy as np

def attention(Q, K, V, mask=None):
    a = np.matmul(Q, K.T)
    b = a / np.sqrt(K.shape[1])
    c = b if mask is None else np.where(mask, b, -np.inf)
    d = np.max(c, axis=1, keepdims=True)
    e = np.exp(c - d)
    f = np.sum(e, axis=1, keepdims=True)
    g = e / f
    h = np.matmul(g, V)
    return h, g
