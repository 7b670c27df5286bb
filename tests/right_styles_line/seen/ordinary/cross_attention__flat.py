import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    q = np.matmul(X_q, Wq)
    k = np.matmul(X_kv, Wk)
    v = np.matmul(X_kv, Wv)
    dk = q.shape[-1]
    a = np.matmul(q, k.T) / np.sqrt(dk)
    if mask is not None:
        a = np.where(mask, a, -1e9)
    a = np.exp(a - a.max(axis=-1, keepdims=True))
    a = a / a.sum(axis=-1, keepdims=True)
    return np.matmul(a, v), a
