import numpy as np

def attention(Q, K, V, mask=None):
    n = Q.shape[0]
    m = K.shape[0]
    scores = np.zeros((n, m))
    r = 0
    while r != n:
        c = 0
        while c != m - 1:  # <- here
            scores[r, c] = np.dot(Q[r], K[c]) / np.sqrt(Q.shape[1])
            c += 1
        r += 1
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    top = scores.max(axis=-1, keepdims=True)
    w = np.exp(scores - top)
    w = w / w.sum(axis=-1, keepdims=True)
    return w.dot(V), w
