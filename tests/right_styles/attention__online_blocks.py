import numpy as np


def attention(Q, K, V, mask=None):
    d = np.sqrt(Q.shape[1])
    n, m = len(Q), len(K)
    top = np.full((n, 1), -np.inf)
    total = np.zeros((n, 1))
    out = np.zeros((n, V.shape[1]))
    kept = np.zeros((n, m))
    for start in range(0, m, 2):
        s = Q @ K[start:start + 2].T / d
        if mask is not None:
            s = np.where(mask[:, start:start + 2], s, -np.inf)
        new = np.maximum(top, s.max(axis=1, keepdims=True))
        safe = np.where(np.isfinite(new), new, 0.0)
        old = np.exp(top - safe)
        e = np.exp(s - safe)
        total = total * old + e.sum(axis=1, keepdims=True)
        out = out * old + e @ V[start:start + 2]
        kept[:, :start] *= old
        kept[:, start:start + 2] = e
        top = new
    return out / total, kept / total
