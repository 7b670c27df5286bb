import numpy as np


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d_model = X.shape
    d_head = d_model // n_heads
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    concat = np.zeros((n, d_model))
    for h in range(n_heads):
        a, b = h * d_head, (h + 1) * d_head
        q, k, v = Q[:, a:b], K[:, a:b], V[:, a:b]
        s = q @ k.T / np.sqrt(d_head)
        if mask is not None:
            s[~mask] = -np.inf
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        w = e / e.sum(axis=-1, keepdims=True)
        concat[:, a:b] = w @ v
    return concat @ Wo
