import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    T, C = X.shape
    hs = C // n_heads
    q = (X @ Wq).reshape(T, n_heads, hs)
    k = (X @ Wk).reshape(T, n_heads, hs)
    v = (X @ Wv).reshape(T, n_heads, hs)
    q, k, v = (np.swapaxes(a, 0, 1) for a in (q, k, v))
    att = q @ np.swapaxes(k, 1, 2)
    att = att / np.sqrt(hs)
    if mask is not None:
        att[:, ~mask] = -np.inf
    att = att - np.max(att, axis=-1, keepdims=True)
    att = np.exp(att)
    att = att / np.sum(att, axis=-1, keepdims=True)
    y = att @ v
    y = np.swapaxes(y, 0, 1).reshape(T, C)
    return y @ Wo
