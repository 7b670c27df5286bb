import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    s = X_q @ (Wq @ Wk.T / np.sqrt(Wq.shape[1])) @ X_kv.T
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return (w @ X_kv) @ Wv, w
