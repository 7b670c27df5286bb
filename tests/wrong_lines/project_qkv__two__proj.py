import numpy as np

def project_qkv(X, Wq, Wk, Wv):
    Q = X @ Wk  # <- here
    K = X @ Wk
    V = X @ Wk  # <- here
    return Q, K, V
