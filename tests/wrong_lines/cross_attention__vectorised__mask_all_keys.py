import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    Q = X_q @ Wq
    K = X_kv @ Wk
    V = X_kv @ Wv
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask.any(axis=0), s, -np.inf)  # <- here
    w = softmax(s)
    return w @ V, w
