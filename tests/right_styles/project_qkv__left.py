def project_qkv(X, Wq, Wk, Wv):
    return (Wq.T @ X.T).T, (Wk.T @ X.T).T, (Wv.T @ X.T).T
