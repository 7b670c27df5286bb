import numpy as np

def scores(Q, K):
    out = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            out[i, j] = sum(a * b for a, b in zip(q, k))
            if out[i, j] < 0:  # <- or here
                break  # <- here
    return out
