import numpy as np

def scaled_dot_product_attention(q, k, v, mask):
    logits = np.matmul(q, k.transpose(0, 2, 1))
    logits = logits / np.sqrt(k.shape[-1])
    if mask is not None:
        logits = logits + np.where(mask, 0.0, -1e20)
    e = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    return np.matmul(weights, v)

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    length, width = X.shape
    def heads(W):
        projected = np.matmul(X, W)
        return projected.reshape(length, n_heads, -1).transpose(1, 0, 2)
    context = scaled_dot_product_attention(heads(Wq), heads(Wk), heads(Wv), mask)
    joined = context.transpose(1, 0, 2).reshape(length, width)
    return np.matmul(joined, Wo)
