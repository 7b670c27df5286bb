import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    d = Wq.shape[1] // n_heads
    total = 0
    for h in range(n_heads):
        c = slice(h * d, (h + 1) * d)
        s = (X @ Wq[:, c]) @ (X @ Wk[:, c]).T / np.sqrt(d)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        total = total + softmax(s) @ (X @ Wv[:, c]) @ Wo[c]
    return total
