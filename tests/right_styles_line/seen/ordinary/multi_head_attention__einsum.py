import numpy as np


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    d_model = X.shape[1]
    d_head = d_model // n_heads
    cut = (d_model, n_heads, d_head)
    q = np.einsum("nm,mhd->hnd", X, Wq.reshape(cut))
    k = np.einsum("nm,mhd->hnd", X, Wk.reshape(cut))
    v = np.einsum("nm,mhd->hnd", X, Wv.reshape(cut))
    s = np.einsum("hqd,hkd->hqk", q, k) / np.sqrt(d_head)
    if mask is not None:
        s = np.where(mask[None], s, -np.inf)
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    p = p / p.sum(axis=-1, keepdims=True)
    heads = np.einsum("hqk,hkd->qhd", p, v)
    return heads.reshape(-1, d_model) @ Wo
