import numpy as np

def softmax(scores):
    scores = scores - scores.max(axis=-1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)

def head(x, wq, wk, wv, mask):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = q @ k.T / np.sqrt(wq.shape[1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores) @ v

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    wqs = np.split(Wq, n_heads, axis=1)
    wks = np.split(Wk, n_heads, axis=1)
    wvs = np.split(Wv, n_heads, axis=1)
    results = [head(X, wq, wk, wv, mask) for wq, wk, wv in zip(wqs, wks, wvs)]
    return np.hstack(results) @ Wo
