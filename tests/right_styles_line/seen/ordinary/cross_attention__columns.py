import numpy as np


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    queries, keys, values = X_q @ Wq, X_kv @ Wk, X_kv @ Wv
    table = keys @ queries.T
    table = table / np.sqrt(keys.shape[1])
    if mask is not None:
        table = np.where(mask.T, table, -np.inf)
    table = np.exp(table - table.max(axis=0, keepdims=True))
    weights = (table / table.sum(axis=0, keepdims=True)).T
    return weights @ values, weights
