import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = np.einsum("id,jd->ij", Q, K) / np.sqrt(Q.shape[1])
    if mask is not None:
        scores = np.where(mask, scores, np.finfo(scores.dtype).min)
    w = softmax(scores)
    return np.einsum("ij,jd->id", w, V), w
