import numpy as np

def additive_mask(mask, shape):
    if mask is None:
        return np.zeros(shape)
    return np.where(mask, 0.0, -1e25)

def attention(Q, K, V, mask=None):
    d_k = Q.shape[1]
    product = Q @ K.T
    blocked = additive_mask(mask, product.shape)
    logits = product / np.sqrt(d_k) + blocked
    logits = logits - logits.max(axis=-1, keepdims=True)
    probs = np.exp(logits)
    probs = probs / probs.sum(axis=-1, keepdims=True)
    out = probs @ V
    return out, probs
