import numpy as np

def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)

def dot_product_attention(query, key, value, mask=None):
    d = query.shape[-1]
    score = np.dot(query, key.T) / np.sqrt(d)
    if mask is not None:
        score = score + np.where(mask, 0, -np.inf)
    weight = softmax(score)
    return np.dot(weight, value), weight

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    query = np.dot(X_q, Wq)
    key = np.dot(X_kv, Wk)
    value = np.dot(X_kv, Wv)
    out, weight = dot_product_attention(query, key, value, mask)
    return out, weight
