import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    seq, dim = X.shape
    hd = dim // n_heads
    q = (X @ Wq).reshape(seq, n_heads, hd).transpose(1, 0, 2)
    k = (X @ Wk).reshape(seq, n_heads, hd).transpose(1, 0, 2)
    v = (X @ Wv).reshape(seq, n_heads, hd).transpose(1, 0, 2)
    att = np.matmul(q, k.swapaxes(-2, -1)) * (1.0 / np.sqrt(hd))
    if mask is not None:
        att = np.where(mask[None, :, :], att, -np.inf)
    att = att - att.max(axis=-1, keepdims=True)
    att = np.exp(att)
    att = att / np.sum(att, axis=-1, keepdims=True)
    y = np.matmul(att, v)
    y = y.transpose(1, 0, 2).reshape(seq, dim)
    return y @ Wo
