import numpy as np

def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    d = X.shape[1] // n_heads
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    out = np.zeros_like(Q)
    for h in range(n_heads):
        lo, hi = h * d, h * d + n_heads  # <- here
        s = Q[:, lo:hi] @ K[:, lo:hi].T / np.sqrt(d)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        out[:, lo:hi] = softmax(s) @ V[:, lo:hi]
    return out @ Wo
