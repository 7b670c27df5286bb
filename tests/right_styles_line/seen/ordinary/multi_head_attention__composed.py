import numpy as np

def softmax(z):
    z = np.exp(z - np.max(z, axis=-1, keepdims=True))
    return z / np.sum(z, axis=-1, keepdims=True)

def split_heads(X, n_heads):
    n, d_model = X.shape
    X = X.reshape(n, n_heads, d_model // n_heads)
    return np.moveaxis(X, 1, 0)

def merge_heads(H):
    h, n, d = H.shape
    return np.moveaxis(H, 0, 1).reshape(n, h * d)

def attention(Q, K, V, mask=None):
    S = Q @ K.swapaxes(-1, -2)
    S = S / np.sqrt(Q.shape[-1])
    if mask is not None:
        S = np.where(mask, S, -1e30)
    A = softmax(S)
    return A @ V, A

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Qh = split_heads(X @ Wq, n_heads)
    Kh = split_heads(X @ Wk, n_heads)
    Vh = split_heads(X @ Wv, n_heads)
    heads, _ = attention(Qh, Kh, Vh, mask)
    return merge_heads(heads) @ Wo
