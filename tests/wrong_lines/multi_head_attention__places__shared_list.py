import numpy as np

def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    d = X.shape[1] // n_heads
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    buffer = np.zeros((X.shape[0], d))
    heads = []
    for h in range(n_heads):
        lo, hi = h * d, (h + 1) * d
        s = Q[:, lo:hi] @ K[:, lo:hi].T / np.sqrt(d)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        buffer[:] = softmax(s) @ V[:, lo:hi]
        heads.append(buffer)  # <- here
    return np.concatenate(heads, axis=1) @ Wo
