import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    queries = X_q @ Wq
    keys = X_kv @ Wk
    values = X_kv @ Wv
    logits = queries @ keys.T / np.sqrt(X_q.shape[1])  # <- here
    if mask is not None:
        logits = np.where(mask, 0, logits)  # <- here
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ values, weights
