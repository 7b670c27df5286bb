import numpy as np

def matvec(W, x):
    y = np.zeros(W.shape[1])
    for j in range(W.shape[1]):
        for i in range(W.shape[0] - 1):  # <- here
            y[j] += W[i, j] * x[i]
    return y

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    Q = np.array([matvec(Wq, x) for x in X])
    K = np.array([matvec(Wk, x) for x in X])
    V = np.array([matvec(Wv, x) for x in X])
    size = Q.shape[1] // n_heads
    outs = []
    for h in range(n_heads):
        a, b = h * size, (h + 1) * size
        s = Q[:, a:b] @ K[:, a:b].T / np.sqrt(size)
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        e = np.exp(s - s.max(1, keepdims=True))
        outs.append(e / e.sum(1, keepdims=True) @ V[:, a:b])
    return np.hstack(outs) @ Wo
