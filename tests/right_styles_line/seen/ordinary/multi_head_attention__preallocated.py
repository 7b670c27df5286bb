import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d_model = X.shape
    d_head = d_model // n_heads
    Q = np.matmul(X, Wq)
    K = np.matmul(X, Wk)
    V = np.matmul(X, Wv)
    heads = np.zeros((n, d_model))
    for h in range(n_heads):
        a = h * d_head
        b = a + d_head
        scores = np.matmul(Q[:, a:b], K[:, a:b].T)
        scores = scores / np.sqrt(d_head)
        if mask is not None:
            scores[~mask] = -np.inf
        scores = scores - scores.max(axis=1, keepdims=True)
        weights = np.exp(scores)
        weights = weights / weights.sum(axis=1, keepdims=True)
        heads[:, a:b] = np.matmul(weights, V[:, a:b])
    return np.matmul(heads, Wo)
