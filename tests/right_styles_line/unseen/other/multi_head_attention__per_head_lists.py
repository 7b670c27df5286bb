import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    parts = []
    for wq, wk, wv in zip(np.hsplit(Wq, n_heads), np.hsplit(Wk, n_heads), np.hsplit(Wv, n_heads)):
        q, k, v = X @ wq, X @ wk, X @ wv
        rows = []
        for i, one in enumerate(q):
            s = k @ one / np.sqrt(len(one))
            if mask is not None:
                s = np.where(mask[i], s, -np.inf)
            e = np.exp(s - s.max())
            rows.append(e / e.sum() @ v)
        parts.append(np.array(rows))
    return np.concatenate(parts, axis=1) @ Wo
