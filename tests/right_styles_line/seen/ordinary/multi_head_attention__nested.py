import numpy as np


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d_model = X.shape
    d_head = d_model // n_heads

    def heads_of(W):
        projected = X @ W
        return projected.reshape(n, n_heads, d_head).transpose(1, 0, 2)

    def weigh(logits):
        if mask is not None:
            logits = np.where(mask, logits, -np.inf)
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    q = heads_of(Wq)
    k = heads_of(Wk)
    v = heads_of(Wv)
    logits = q @ np.swapaxes(k, 1, 2) / np.sqrt(d_head)
    mixed = weigh(logits) @ v
    together = mixed.transpose(1, 0, 2).reshape(n, d_model)
    return together @ Wo
