import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    n, d = X.shape
    size = d // n_heads
    def heads_of(A):
        return A.reshape(n_heads, n, size)  # <- here
    Q, K, V = heads_of(X @ Wq), heads_of(X @ Wk), heads_of(X @ Wv)
    S = np.einsum("hid,hjd->hij", Q, K)  # <- here
    if mask is not None:
        S = np.where(mask, S, -1e9)
    E = np.exp(S - S.max(-1, keepdims=True))
    A = E / E.sum(-1, keepdims=True)
    out = np.einsum("hij,hjd->ihd", A, V).reshape(n, d)
    return out @ Wo
