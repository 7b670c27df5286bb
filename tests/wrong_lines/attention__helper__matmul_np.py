import numpy as np

def product(A, B):
    n, k = A.shape
    m = B.shape[1]
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            total = 0
            for t in range(1, k):  # <- here
                total += A[i, t] * B[t, j]
            out[i, j] = total
    return out

def attention(Q, K, V, mask=None):
    s = product(Q, K.T) / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return product(w, V), w
