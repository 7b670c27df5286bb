import numpy as np

def attention(Q, K, V, mask=None):
    d = K.shape[-1]
    s = Q @ K.T / np.sqrt(d)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=0, keepdims=True)  # <- here
    if mask is not None:
        w = w * mask  # <- here
    out = w @ V
    return out, w
