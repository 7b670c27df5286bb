import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    d = X.shape[1] // n_heads
    y = np.zeros_like(X)
    for h in range(n_heads):
        c = np.arange(h * d, (h + 1) * d)
        q, k, v = X @ Wq[:, c], X @ Wk[:, c], X @ Wv[:, c]
        s = q @ k.T / np.sqrt(d)
        if mask is not None:
            s[~mask] = -np.inf
        w = np.exp(s - s.max(axis=1, keepdims=True))
        w /= w.sum(axis=1, keepdims=True)
        y += w @ v @ Wo[c]
    return y
