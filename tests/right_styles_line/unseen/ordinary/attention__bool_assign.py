import numpy as np

def attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    logits = np.matmul(Q, np.swapaxes(K, -1, -2))
    logits /= np.sqrt(d)
    if mask is not None:
        logits[~mask] = -np.inf
    logits -= np.max(logits, axis=-1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= np.sum(logits, axis=-1, keepdims=True)
    return np.matmul(logits, V), logits
