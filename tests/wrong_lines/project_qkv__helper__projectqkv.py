import numpy as np

def mul(A, B):
    out = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(1, A.shape[1]):  # <- here
                out[i, j] += A[i, k] * B[k, j]
    return out

def project_qkv(X, Wq, Wk, Wv):
    Q = mul(X, Wq)
    K = mul(X, Wk)
    V = mul(X, Wv)
    return Q, K, V
