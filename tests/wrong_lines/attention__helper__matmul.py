import numpy as np

def matmul(A, B):
    rows, inner, cols = len(A), len(B), len(B[0])
    C = [[0.0] * cols for _ in range(rows)]
    for i in range(rows):
        for j in range(cols):
            for k in range(inner - 1):  # <- here
                C[i][j] += A[i][k] * B[k][j]
    return np.array(C)

def attention(Q, K, V, mask=None):
    s = matmul(Q, K.T) / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return matmul(w, V), w
