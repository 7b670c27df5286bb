import numpy as np


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d_model = X.shape
    width = d_model // n_heads
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    total = np.zeros((n, d_model))
    for h in range(n_heads):
        keep = np.zeros(d_model)
        keep[h * width : (h + 1) * width] = 1.0
        logits = (Q * keep) @ K.T / np.sqrt(width)
        if mask is not None:
            logits = np.where(mask, logits, -np.inf)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        weights = powers / powers.sum(axis=1, keepdims=True)
        total += weights @ (V * keep) @ Wo
    return total
