import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, D = X.shape
    d = D // n_heads
    Q = np.dot(X, Wq).reshape(n, n_heads, d)
    K = np.dot(X, Wk).reshape(n, n_heads, d)
    V = np.dot(X, Wv).reshape(n, n_heads, d)
    scores = np.einsum("ihd,jhd->hij", Q, K) / np.sqrt(d)
    if mask is not None:
        scores[:, ~mask] = -np.inf
    scores -= scores.max(axis=2, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=2, keepdims=True)
    context = np.einsum("hij,jhd->ihd", weights, V)
    context = context.reshape(n, D)
    return np.dot(context, Wo)
