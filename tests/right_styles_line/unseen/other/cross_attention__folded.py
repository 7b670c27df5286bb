import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    M = Wq @ Wk.T / np.sqrt(Wk.shape[1])
    S = X_q @ M @ X_kv.T
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    A = np.exp(S - S.max(axis=1, keepdims=True))
    A = A / A.sum(axis=1, keepdims=True)
    return A @ X_kv @ Wv, A
