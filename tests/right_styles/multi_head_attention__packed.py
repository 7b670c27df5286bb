import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d_model = X.shape
    qkv = (X @ np.hstack([Wq, Wk, Wv])).reshape(n, 3, n_heads, -1).transpose(1, 2, 0, 3)
    s = np.einsum("hid,hjd->hij", qkv[0], qkv[1]) * qkv.shape[-1] ** -0.5
    if mask is not None:
        s = np.where(mask[None], s, -1e30)
    return np.einsum("hij,hjd->ihd", softmax(s), qkv[2]).reshape(n, d_model) @ Wo
