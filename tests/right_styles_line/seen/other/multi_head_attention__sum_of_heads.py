import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, D = X.shape
    d = D // n_heads
    total = np.zeros((n, D))
    for h in range(n_heads):
        cols = slice(h * d, (h + 1) * d)
        s = (X @ Wq[:, cols]) @ (X @ Wk[:, cols]).T / np.sqrt(d)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        w = e / e.sum(axis=1, keepdims=True)
        total += w @ (X @ Wv[:, cols]) @ Wo[cols]
    return total
