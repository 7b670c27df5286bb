import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d = X.shape
    dh = d // n_heads
    Q = X @ Wq
    K = Q @ Wk  # <- here
    V = X @ Wv
    Q, K, V = (M.reshape(n, n_heads, dh).transpose(1, 0, 2) for M in (Q, K, V))
    s = Q @ K.transpose(0, 2, 1) / np.sqrt(dh)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return (w @ V).transpose(1, 0, 2).reshape(n, d) @ Wo
