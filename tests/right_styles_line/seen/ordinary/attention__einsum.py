import numpy as np


def attention(Q, K, V, mask=None):
    scale = 1.0 / np.sqrt(Q.shape[1])
    logits = np.einsum("qd,kd->qk", Q, K) * scale
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    top = logits.max(axis=1)
    powers = np.exp(logits - top[:, None])
    weights = np.einsum("qk,q->qk", powers, 1.0 / powers.sum(axis=1))
    return np.einsum("qk,kv->qv", weights, V), weights
