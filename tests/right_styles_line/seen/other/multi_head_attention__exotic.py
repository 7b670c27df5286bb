import numpy as np


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    """Every head adds its own share of the projected output; one packed product for q, k and v."""
    n, d_model = X.shape
    packed = X @ np.concatenate([Wq, Wk, Wv], axis=1)
    parts = packed.reshape(n, 3, n_heads, -1).transpose(1, 2, 0, 3)
    out = np.zeros((n, d_model))
    for q, k, v, wo in zip(parts[0], parts[1], parts[2], np.split(Wo, n_heads)):
        s = q @ k.T / np.sqrt(q.shape[-1])
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        out = out + (e / e.sum(axis=-1, keepdims=True)) @ v @ wo
    return out
