import numpy as np

def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    top = s.max(axis=1, keepdims=True)
    log_total = np.log(np.exp(s - top).sum(axis=1, keepdims=True))
    w = np.exp(s - top - log_total)
    return w @ V, w
