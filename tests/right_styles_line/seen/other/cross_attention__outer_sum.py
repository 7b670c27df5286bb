import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    q, k, v = X_q @ Wq, X_kv @ Wk, X_kv @ Wv
    s = (q[:, None, :] * k[None, :, :]).sum(axis=-1) / np.sqrt(q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1)[:, None])
    w = e / e.sum(axis=1)[:, None]
    out = (w[:, :, None] * v[None, :, :]).sum(axis=1)
    return out, w
