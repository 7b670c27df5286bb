import numpy as np

def attention(Q, K, V, mask=None):
    n, m = len(Q), len(K)
    s = Q @ K.T / np.sqrt(Q.shape[1])
    w = np.zeros((n, m))
    for i in range(n):
        row = [s[i, j] if mask is None or mask[i, j] else -np.inf for j in range(m)]
        total = 0.0
        top = max(row)
        for j in range(i + 1):  # <- here
            total += np.exp(row[j] - top)
        for j in range(m):
            w[i, j] = np.exp(row[j] - top) / total
    return w @ V, w
