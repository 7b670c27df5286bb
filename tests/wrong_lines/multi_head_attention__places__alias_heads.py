import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d = X.shape
    size = d // n_heads
    parts = [np.zeros((n, size))] * n_heads  # <- here
    for h in range(n_heads):
        cols = slice(h * size, (h + 1) * size)
        q, k, v = X @ Wq[:, cols], X @ Wk[:, cols], X @ Wv[:, cols]
        s = q @ k.T / np.sqrt(size)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        parts[h][:] = (e / e.sum(axis=1, keepdims=True)) @ v
    return np.concatenate(parts, axis=1) @ Wo
