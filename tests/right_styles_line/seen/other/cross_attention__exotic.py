import numpy as np


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    """One bilinear form for the scores; the values are projected after mixing."""
    form = Wq @ Wk.T / np.sqrt(Wq.shape[1])
    logits = X_q @ form @ X_kv.T
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    mixed = weights @ X_kv
    return mixed @ Wv, weights
