import numpy as np

def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    seq_len, d_model = X.shape
    depth = d_model // n_heads

    queries = X @ Wq
    keys = X @ Wk
    values = X @ Wv

    queries = queries.reshape(seq_len, n_heads, depth)
    keys = keys.reshape(seq_len, n_heads, depth)
    values = values.reshape(seq_len, n_heads, depth)

    queries = np.transpose(queries, (1, 0, 2))
    keys = np.transpose(keys, (1, 0, 2))
    values = np.transpose(values, (1, 0, 2))

    scores = np.matmul(queries, np.transpose(keys, (0, 2, 1)))
    scores = scores / np.sqrt(depth)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)

    scores = scores - np.max(scores, axis=-1, keepdims=True)
    exp_scores = np.exp(scores)
    weights = exp_scores / np.sum(exp_scores, axis=-1, keepdims=True)

    context = np.matmul(weights, values)
    context = np.transpose(context, (1, 0, 2))
    context = context.reshape(seq_len, d_model)
    return context @ Wo
