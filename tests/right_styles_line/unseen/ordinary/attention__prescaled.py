import numpy as np

NEG = -1e15

def attention(Q, K, V, mask=None):
    n, dk = Q.shape
    m = K.shape[0]
    q = Q / np.sqrt(dk)
    dots = np.einsum("id,jd->ij", q, K)
    if mask is None:
        mask = np.ones((n, m), dtype=bool)
    dots = np.where(mask, dots, NEG)
    ex = np.exp(dots - dots.max(axis=1).reshape(n, 1))
    ex = ex * mask
    att = ex / ex.sum(axis=1).reshape(n, 1)
    out = np.einsum("ij,jv->iv", att, V)
    return out, att
