def project_qkv(X, Wq, Wk, Wv):
    Q = X @ Wq
    K = X @ Wq  # <- here
    V = X @ Wv
    return Q, K, V
