import numpy as np

def softmax(x):
    out = np.zeros_like(x)
    for i in range(x.shape[0]):
        total = 0.0
        top = max(x[i])
        for j in range(x.shape[0]):  # <- here
            total += np.exp(x[i, j] - top)
        for j in range(x.shape[1]):
            out[i, j] = np.exp(x[i, j] - top) / total
    return out

def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ V, w
