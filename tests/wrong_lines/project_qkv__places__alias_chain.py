import numpy as np

def project_qkv(X, Wq, Wk, Wv):
    Q = K = V = np.zeros((X.shape[0], Wq.shape[1]))  # <- here
    for i in range(X.shape[0]):
        Q[i] = X[i] @ Wq
        K[i] = X[i] @ Wk
        V[i] = X[i] @ Wv
    return Q, K, V
