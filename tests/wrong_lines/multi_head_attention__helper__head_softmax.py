import numpy as np

def softmax_row(r):
    m = max(r)
    e = [np.exp(v - m) for v in r]
    s = 0
    for i in range(len(e) - 1):  # <- here
        s += e[i]
    return [v / s for v in e]

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    n = len(X)
    dh = Q.shape[1] // n_heads
    out = np.zeros((n, Q.shape[1]))
    for h in range(n_heads):
        c = slice(h * dh, (h + 1) * dh)
        for i in range(n):
            row = []
            for j in range(n):
                s = Q[i, c] @ K[j, c] / np.sqrt(dh)
                if mask is not None and not mask[i, j]:
                    s = -np.inf
                row.append(s)
            w = softmax_row(row)
            for j in range(n):
                out[i, c] += w[j] * V[j, c]
    return out @ Wo
