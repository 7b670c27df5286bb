import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    dh = Q.shape[1] // n_heads
    outs = []
    for h in range(n_heads):
        c = slice(h * dh, (h + 1) * dh)
        w = Q[:, c] @ K[:, c].T / np.sqrt(dh)
        if mask is not None:
            w = np.where(mask, w, -np.inf)
        w = np.exp(w - w.max(axis=1, keepdims=True))
        w = w / w.sum(axis=0)  # <- here
        outs.append(w @ V[:, c])
    return np.concatenate(outs, axis=1) @ Wo
