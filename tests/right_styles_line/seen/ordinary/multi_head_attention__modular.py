import numpy as np


def project(X, W):
    return np.dot(X, W)


def split_heads(X, n_heads):
    n, d_model = X.shape
    d_head = d_model // n_heads
    return X.reshape(n, n_heads, d_head).swapaxes(0, 1)


def merge_heads(H):
    n_heads, n, d_head = H.shape
    return H.swapaxes(0, 1).reshape(n, n_heads * d_head)


def scaled_scores(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


def softmax(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q = split_heads(project(X, Wq), n_heads)
    K = split_heads(project(X, Wk), n_heads)
    V = split_heads(project(X, Wv), n_heads)
    S = scaled_scores(Q, K)
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    A = softmax(S)
    context = merge_heads(A @ V)
    return project(context, Wo)
