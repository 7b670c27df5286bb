def project_qkv(X, Wq, Wk, Wv):
    return X @ Wq.T, X @ Wk.T, X @ Wv.T  # <- here
