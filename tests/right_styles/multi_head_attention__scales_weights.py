import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d_model = X.shape
    d = d_model // n_heads
    Wq = Wq / np.sqrt(d)
    heads = []
    for q, k, v in zip(*(np.split(X @ W, n_heads, axis=1) for W in (Wq, Wk, Wv))):
        s = q @ k.T
        if mask is not None:
            s = s + np.where(mask, 0.0, -np.inf)
        heads.append(softmax(s) @ v)
    return np.concatenate(heads, axis=1) @ Wo
