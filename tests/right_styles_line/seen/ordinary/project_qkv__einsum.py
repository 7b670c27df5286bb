import numpy as np

def project_qkv(X, Wq, Wk, Wv):
    q = np.einsum("nd,dk->nk", X, Wq)
    k = np.einsum("nd,dk->nk", X, Wk)
    v = np.einsum("nd,dv->nv", X, Wv)
    return q, k, v
