import numpy as np

def attend(queries, keys, values, allowed):
    logits = queries @ keys.T
    logits = logits / np.sqrt(keys.shape[1])
    if allowed is not None:
        logits = np.where(allowed, logits, -1e12)
    logits = logits - logits.max(axis=1, keepdims=True)
    weights = np.exp(logits)
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ values, weights

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    K = X_kv @ Wk
    V = X_kv @ Wv
    Q = X_q @ Wq
    if mask is None:
        return attend(Q, K, V, None)
    return attend(Q, K, V, mask)
