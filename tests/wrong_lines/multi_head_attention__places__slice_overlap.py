import numpy as np

def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    dh = Wq.shape[1] // n_heads
    out = []
    for h in range(n_heads):
        part = slice(h, h + dh)  # <- here
        q, k, v = X @ Wq[:, part], X @ Wk[:, part], X @ Wv[:, part]
        s = q @ k.T / np.sqrt(dh)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        out.append(softmax(s) @ v)
    return np.concatenate(out, axis=1) @ Wo
