import numpy as np

def project_qkv(X, Wq, Wk, Wv):
    Q = X @ Wq
    K = Q @ Wk  # <- here
    V = X  # <- here
    return Q, K, V
