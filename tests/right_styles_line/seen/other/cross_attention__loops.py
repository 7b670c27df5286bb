import numpy as np


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    outputs, weights = [], []
    keys = [row @ Wk for row in X_kv]
    values = [row @ Wv for row in X_kv]
    for i, row in enumerate(X_q):
        query = row @ Wq
        logits = np.array([query @ key for key in keys]) / np.sqrt(len(query))
        if mask is not None:
            logits[~mask[i]] = -np.inf
        powers = np.exp(logits - logits.max())
        shares = powers / powers.sum()
        weights.append(shares)
        outputs.append(sum(share * value for share, value in zip(shares, values)))
    return np.array(outputs), np.array(weights)
