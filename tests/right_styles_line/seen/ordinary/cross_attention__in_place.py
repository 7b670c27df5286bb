import numpy as np


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    q = np.dot(X_q, Wq)
    q /= np.sqrt(Wq.shape[1])
    k = np.dot(X_kv, Wk)
    v = np.dot(X_kv, Wv)
    w = np.dot(q, k.T)
    if mask is not None:
        w[np.logical_not(mask)] = -1e30
    w -= np.max(w, axis=1, keepdims=True)
    w = np.exp(w)
    w /= np.sum(w, axis=1, keepdims=True)
    return np.dot(w, v), w
