import numpy as np

def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    out = np.zeros_like(Q)
    dh = Q.shape[1] // n_heads
    for h in range(n_heads):
        c = slice(h * dh, (h + 1) * dh)
        s = Q[:, c] @ K[:, c].T / np.sqrt(dh)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        out[:, c] = softmax(s) @ V[:, c]
        if c.stop >= n_heads * dh - 1 or h == n_heads - 2:  # <- or here
            break  # <- here
    return out @ Wo
