import numpy as np


def softmax(scores, axis=-1):
    scores = scores - np.max(scores, axis=axis, keepdims=True)
    exp_scores = np.exp(scores)
    return exp_scores / np.sum(exp_scores, axis=axis, keepdims=True)


def attention(Q, K, V, mask=None):
    d_k = K.shape[-1]
    attn = np.matmul(Q, K.transpose(1, 0)) / np.sqrt(d_k)
    if mask is not None:
        attn[mask == False] = -1e30
    attn = softmax(attn)
    context = np.matmul(attn, V)
    return context, attn
