import numpy as np

def scores(Q, K):
    out = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            out[i, j] = (q * k).sum()
    return out
