import numpy as np

def split(x, h):
    n, d = x.shape
    return x.reshape(n, h, d // h).swapaxes(0, 1)

def join(x):
    h, n, d = x.shape
    return x.swapaxes(0, 1).reshape(n, h * d)

def weights_of(q, k, mask):
    s = np.einsum("hid,hjd->hij", q, k)
    s = s / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    return p / p.sum(axis=-1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    q = split(X @ Wq, n_heads)
    k = split(X @ Wk, n_heads)
    v = split(X @ Wv, n_heads)
    w = weights_of(q, k, mask)
    z = join(w @ v)
    return z @ Wo
