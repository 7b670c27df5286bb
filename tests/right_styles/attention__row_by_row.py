import numpy as np


def attention(Q, K, V, mask=None):
    out = np.empty((len(Q), V.shape[1]))
    w = np.empty((len(Q), len(K)))
    for i in range(len(Q)):
        s = K @ Q[i] / np.sqrt(Q.shape[1])
        if mask is not None:
            s = np.where(mask[i], s, -np.inf)
        e = np.exp(s - s.max())
        w[i] = e / e.sum()
        out[i] = w[i] @ V
    return out, w
