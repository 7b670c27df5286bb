import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    Q = np.einsum("nd,dk->nk", X_q, Wq)
    K = np.einsum("md,dk->mk", X_kv, Wk)
    V = np.einsum("md,dv->mv", X_kv, Wv)
    scores = np.einsum("nk,mk->nm", Q, K) / Wq.shape[1] ** 0.5
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = scores - scores.max(-1)[:, None]
    weights = np.exp(scores) / np.exp(scores).sum(-1)[:, None]
    output = np.einsum("nm,mv->nv", weights, V)
    return output, weights
