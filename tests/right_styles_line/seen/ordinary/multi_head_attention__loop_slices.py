import numpy as np

def softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    ex = np.exp(x)
    return ex / ex.sum(axis=-1, keepdims=True)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    d_model = X.shape[1]
    d_head = d_model // n_heads
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    outputs = []
    for i in range(n_heads):
        lo, hi = i * d_head, (i + 1) * d_head
        q = Q[:, lo:hi]
        k = K[:, lo:hi]
        v = V[:, lo:hi]
        s = q @ k.T / np.sqrt(d_head)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        outputs.append(softmax(s) @ v)
    concat = np.concatenate(outputs, axis=1)
    return concat @ Wo
