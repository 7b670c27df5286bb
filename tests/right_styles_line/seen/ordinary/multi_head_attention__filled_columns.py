import numpy as np

def one_head(q, k, v, mask):
    width = q.shape[1]
    a = q @ k.T
    a = a / np.sqrt(width)
    if mask is not None:
        a = np.where(mask, a, -np.inf)
    a = np.exp(a - a.max(axis=1, keepdims=True))
    return (a / a.sum(axis=1, keepdims=True)) @ v

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    query, key, value = X @ Wq, X @ Wk, X @ Wv
    size = query.shape[1] // n_heads
    joined = np.zeros_like(query)
    for head in range(n_heads):
        part = slice(head * size, head * size + size)
        joined[:, part] = one_head(query[:, part], key[:, part], value[:, part], mask)
    return joined @ Wo
