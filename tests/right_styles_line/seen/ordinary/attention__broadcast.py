import numpy as np


def attention(Q, K, V, mask=None):
    products = Q[:, None, :] * K[None, :, :]
    logits = products.sum(axis=2)
    logits = logits * Q.shape[1] ** -0.5
    if mask is not None:
        blocked = ~mask
        logits = logits - blocked * 1e30
    biggest = logits.max(axis=1)[:, None]
    unnormalised = np.exp(logits - biggest)
    norm = unnormalised.sum(axis=1)[:, None]
    weights = unnormalised / norm
    output = (weights[:, :, None] * V[None, :, :]).sum(axis=1)
    return output, weights
