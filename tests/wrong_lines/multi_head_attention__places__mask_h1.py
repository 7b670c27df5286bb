import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    n = X.shape[0]
    dh = Q.shape[1] // n_heads
    out = np.zeros((n, Q.shape[1]))
    for h in range(n_heads):
        q, k, v = (M[:, h * dh:(h + 1) * dh] for M in (Q, K, V))
        s = q @ k.T / dh ** 0.5
        if mask is not None and h > 0:  # <- here
            s[~mask] = -1e30
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[:, h * dh:(h + 1) * dh] = e / e.sum(axis=1, keepdims=True) @ v
    return out @ Wo
