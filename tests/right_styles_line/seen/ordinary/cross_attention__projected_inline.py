import numpy as np

def softmax(a, axis=-1):
    a = np.exp(a - a.max(axis=axis, keepdims=True))
    return a / a.sum(axis=axis, keepdims=True)

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    d_k = Wk.shape[1]
    logits = (X_q @ Wq) @ (X_kv @ Wk).T
    logits = logits * d_k ** -0.5
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    attention = softmax(logits, axis=-1)
    mixed = attention @ (X_kv @ Wv)
    return mixed, attention
