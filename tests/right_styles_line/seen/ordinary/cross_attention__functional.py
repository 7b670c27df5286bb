import numpy as np

project = lambda X, W: X @ W
scale = lambda S, d: S / np.sqrt(d)


def shares(S):
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    Q = project(X_q, Wq)
    K = project(X_kv, Wk)
    V = project(X_kv, Wv)
    S = scale(np.dot(Q, K.T), Q.shape[1])
    S = S if mask is None else np.where(mask, S, -np.inf)
    P = shares(S)
    return np.dot(P, V), P
