import numpy as np

def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    dh = Q.shape[1] // n_heads
    heads = []
    for h in range(n_heads):
        start = h * n_heads  # <- here
        stop = start + dh
        s = Q[:, start:stop] @ K[:, start:stop].T / np.sqrt(dh)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        heads.append(softmax(s) @ V[:, start:stop])
    return np.concatenate(heads, axis=1) @ Wo
