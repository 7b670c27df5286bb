import numpy as np


def attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    attn_scores = Q @ K.transpose(-1, -2) / d_k ** 0.5
    if mask is not None:
        attn_scores = np.where(mask == False, float("-inf"), attn_scores)
    attn_scores = attn_scores - attn_scores.max(axis=-1, keepdims=True)
    exp_scores = np.exp(attn_scores)
    attn_weights = exp_scores / exp_scores.sum(axis=-1, keepdims=True)
    output = attn_weights @ V
    return output, attn_weights
