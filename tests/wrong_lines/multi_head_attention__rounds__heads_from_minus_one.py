import numpy as np

def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    d = Q.shape[1] // n_heads
    out = 0
    for h in range(-1, n_heads):  # <- here
        c = slice((h % n_heads) * d, (h % n_heads + 1) * d)
        s = Q[:, c] @ K[:, c].T / np.sqrt(d)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        out = out + softmax(s) @ V[:, c] @ Wo[c]
    return out
