import numpy as np


def blocks(M, n_heads):
    width = M.shape[1] // n_heads
    for h in range(n_heads):
        yield M[:, h * width : (h + 1) * width]


def attend(q, k, v, mask):
    s = q @ k.T / np.sqrt(q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ v


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q = X @ Wq
    K = X @ Wk
    V = X @ Wv
    heads = (attend(q, k, v, mask) for q, k, v in zip(blocks(Q, n_heads), blocks(K, n_heads), blocks(V, n_heads)))
    return np.hstack(list(heads)) @ Wo
