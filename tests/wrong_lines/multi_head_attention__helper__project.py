import numpy as np

def project(X, W):
    out = np.zeros((X.shape[0], W.shape[1]))
    for i in range(X.shape[0]):
        for j in range(W.shape[1]):
            for k in range(X.shape[1] - 1):  # <- here
                out[i, j] += X[i, k] * W[k, j]
    return out

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q, K, V = project(X, Wq), project(X, Wk), project(X, Wv)
    n, d = Q.shape
    dh = d // n_heads
    heads = []
    for h in range(n_heads):
        a, b = h * dh, (h + 1) * dh
        s = Q[:, a:b] @ K[:, a:b].T / np.sqrt(dh)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        heads.append(softmax(s) @ V[:, a:b])
    return np.concatenate(heads, axis=1) @ Wo
