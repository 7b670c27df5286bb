"""All ten functions as a learner might write them, in one file."""

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scores(Q, K):
    return Q @ K.T


def causal_mask(n):
    return np.tril(np.ones((n, n), dtype=bool))


def padding_mask(lengths, m):
    return np.arange(m)[None, :] < np.asarray(lengths)[:, None]


def project_qkv(X, Wq, Wk, Wv):
    return X @ Wq, X @ Wk, X @ Wv


def attention(Q, K, V, mask=None):
    s = scores(Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ V, w


def split_heads(X, n_heads):
    n, d_model = X.shape
    return X.reshape(n, n_heads, d_model // n_heads).transpose(1, 0, 2)


def merge_heads(H):
    n_heads, n, d_head = H.shape
    return H.transpose(1, 0, 2).reshape(n, n_heads * d_head)


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K, V = (split_heads(one, n_heads) for one in project_qkv(X, Wq, Wk, Wv))
    return merge_heads(np.stack([attention(Q[h], K[h], V[h], mask)[0] for h in range(n_heads)])) @ Wo


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    return attention(X_q @ Wq, X_kv @ Wk, X_kv @ Wv, mask)
