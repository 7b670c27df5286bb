import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d = X.shape
    dh = d // n_heads
    Q = np.zeros((n_heads, n, dh))
    K = Q  # <- here
    V = np.zeros((n_heads, n, dh))
    for h in range(n_heads):
        c = slice(h * dh, (h + 1) * dh)
        Q[h] = X @ Wq[:, c]
        K[h] = X @ Wk[:, c]
        V[h] = X @ Wv[:, c]
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(dh)
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    E = np.exp(S - S.max(-1, keepdims=True))
    A = E / E.sum(-1, keepdims=True)
    return (A @ V).transpose(1, 0, 2).reshape(n, d) @ Wo
