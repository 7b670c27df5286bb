import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, D = X.shape
    W = np.stack([Wq, Wk, Wv]).reshape(3, D, n_heads, D // n_heads)
    q, k, v = np.einsum("nd,sdhe->shne", X, W)
    s = np.einsum("hne,hme->hnm", q, k) / np.sqrt(D // n_heads)
    if mask is not None:
        s = np.where(mask[None], s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    Wo3 = Wo.reshape(n_heads, D // n_heads, D)
    return np.einsum("hnm,hme,hed->nd", p, v, Wo3)
