import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attend(queries, keys, values, mask):
    scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores) @ values


def heads_of(x, n_heads):
    return x.reshape(len(x), n_heads, -1).swapaxes(0, 1)


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    q = heads_of(X @ Wq, n_heads)
    k = heads_of(X @ Wk, n_heads)
    v = heads_of(X @ Wv, n_heads)
    mixed = attend(k, q, v, mask)  # <- here
    return mixed.swapaxes(0, 1).reshape(X.shape) @ Wo
