import numpy as np


def softmax(z):
    z = z - z.max(axis=-1, keepdims=True)
    return np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True)


def attention(q, k, v, mask):
    z = q @ k.T / np.sqrt(k.shape[1])
    if mask is not None:
        z = np.where(mask, z, -np.inf)
    return softmax(z) @ v


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    queries = np.hsplit(X @ Wq, n_heads)
    keys = np.hsplit(X @ Wk, n_heads)
    values = np.hsplit(X @ Wv, n_heads)
    heads = [attention(q, k, v, mask) for q, k, v in zip(queries, keys, values)]
    return np.hstack(heads) @ Wo
