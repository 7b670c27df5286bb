import numpy as np

def project_qkv(X, Wq, Wk, Wv):
    Q = np.zeros((X.shape[0], Wq.shape[1]))
    K = Q  # <- here
    V = np.zeros((X.shape[0], Wv.shape[1]))
    for i in range(X.shape[0]):
        for j in range(Wq.shape[1]):
            for t in range(X.shape[1]):
                Q[i, j] += X[i, t] * Wq[t, j]
                K[i, j] += X[i, t] * Wk[t, j]
    for i in range(X.shape[0]):
        V[i] = X[i] @ Wv
    return Q, K, V
