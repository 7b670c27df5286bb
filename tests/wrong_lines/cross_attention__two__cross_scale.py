import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    Q = X_q @ Wq
    K = X_q @ Wk  # <- here
    V = X_kv @ Wv
    S = Q @ K.T / np.sqrt(X_q.shape[1])  # <- here
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1, keepdims=True)
    return A @ V, A
