import numpy as np

def softmax(t):
    t = np.exp(t - t.max(axis=-1, keepdims=True))
    return t / t.sum(axis=-1, keepdims=True)

def attend(q, k, v, mask):
    t = q @ k.T / np.sqrt(q.shape[1])
    if mask is not None:
        t = np.where(mask, t, -np.inf)
    return softmax(t) @ v

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    q = np.split(X @ Wq, n_heads, axis=1)
    k = np.split(X @ Wk, n_heads, axis=1)
    v = np.split(X @ Wv, n_heads, axis=1)
    outs = []
    for i in range(n_heads):
        outs.append(attend(q[i], k[i], v[i], mask))
    cat = np.concatenate(outs, axis=1)
    return cat @ Wo
