import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    q, k, v = Wq.T @ X_q.T, Wk.T @ X_kv.T, Wv.T @ X_kv.T
    s = q.T @ k / np.sqrt(len(q))
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return (v @ w.T).T, w
