import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    d = Q.shape[1] // n_heads
    n = len(X)
    out = np.zeros((n, Q.shape[1]))
    for h in range(n_heads):
        c = slice(h * d, (h + 1) * d)
        z = 0.0  # <- here
        for i in range(n):
            s = K[:, c] @ Q[i, c] / np.sqrt(d)
            if mask is not None:
                s = np.where(mask[i], s, -np.inf)
            e = np.exp(s - s.max())
            for value in e:
                z += value
            out[i, c] = (e / z) @ V[:, c]
    return out @ Wo
