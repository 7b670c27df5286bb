import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, D = X.shape
    W = np.concatenate([Wq, Wk, Wv], axis=1)
    packed = X @ W
    q, k, v = packed.reshape(n, 3, n_heads, D // n_heads).transpose(1, 2, 0, 3)
    s = q @ k.transpose(0, 2, 1) / (D // n_heads) ** 0.5
    if mask is not None:
        s = s + np.where(mask, 0, -np.inf)
    s = np.exp(s - s.max(-1, keepdims=True))
    s = s / s.sum(-1, keepdims=True)
    return (s @ v).transpose(1, 0, 2).reshape(n, D) @ Wo
