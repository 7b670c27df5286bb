import numpy as np

def attention(Q, K, V, mask=None):
    def score():
        return np.inner(Q, K) / np.sqrt(Q.shape[-1])

    def normalise(s):
        e = np.exp(s - np.max(s, axis=-1, keepdims=True))
        return e / np.sum(e, axis=-1, keepdims=True)

    s = score()
    if mask is not None:
        s[np.invert(mask)] = -np.inf
    w = normalise(s)
    return np.dot(w, V), w
