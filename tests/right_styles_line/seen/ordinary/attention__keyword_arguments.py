import numpy as np

def similarity(query, key, scale):
    return query.dot(key.T) * scale

def normalise(table, allowed=None):
    if allowed is not None:
        table = np.where(allowed, table, -1e10)
    table = np.exp(table - np.max(table, axis=1)[:, None])
    return table / np.sum(table, axis=1)[:, None]

def attention(Q, K, V, mask=None):
    scale = Q.shape[1] ** -0.5
    table = similarity(query=Q, key=K, scale=scale)
    weights = normalise(table, allowed=mask)
    return weights.dot(V), weights
