import numpy as np


def attention(Q, K, V, mask=None):
    scores = Q @ K.T
    scores = scores / np.sqrt(Q.shape[1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    queries = X_q @ Wq
    keys = X_kv @ Wk
    values = X_kv @ Wv
    return attention(queries, keys, values, mask)
