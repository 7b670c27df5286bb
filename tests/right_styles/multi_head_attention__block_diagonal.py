import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d_model = X.shape
    d = d_model // n_heads
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    own = np.kron(np.eye(n_heads), np.ones((n, d)))  # (H * n, d_model): head h sees its own columns
    big_q = np.tile(Q, (n_heads, 1)) * own
    s = big_q @ K.T / np.sqrt(d)  # (H * n, n)
    if mask is not None:
        s = np.where(np.tile(mask, (n_heads, 1)), s, -np.inf)
    mixed = (softmax(s) @ V) * own  # (H * n, d_model)
    return mixed.reshape(n_heads, n, d_model).sum(axis=0) @ Wo
