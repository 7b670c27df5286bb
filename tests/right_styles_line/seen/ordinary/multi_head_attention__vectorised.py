import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def split(X, n_heads):
    n, d_model = X.shape
    return X.reshape(n, n_heads, d_model // n_heads).transpose(1, 0, 2)


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d_model = X.shape
    Q = split(X @ Wq, n_heads)
    K = split(X @ Wk, n_heads)
    V = split(X @ Wv, n_heads)
    s = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    weights = softmax(s)
    heads = weights @ V
    concat = heads.transpose(1, 0, 2).reshape(n, d_model)
    return concat @ Wo
