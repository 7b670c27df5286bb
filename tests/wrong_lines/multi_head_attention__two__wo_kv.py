import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d = X.shape
    dh = d // n_heads
    def split(A):
        return A.reshape(n, n_heads, dh).transpose(1, 0, 2)
    Q = split(X @ Wq)
    K = split(X @ Wq)  # <- here
    V = split(X @ Wv)
    S = Q @ K.transpose(0, 2, 1) / np.sqrt(dh)
    if mask is not None:
        S = np.where(mask, S, -1e9)
    S = S - S.max(-1, keepdims=True)
    A = np.exp(S) / np.exp(S).sum(-1, keepdims=True)
    H = (A @ V).transpose(1, 0, 2).reshape(n, d)
    return H @ Wo.T  # <- here
