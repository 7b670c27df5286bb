import numpy as np

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    decoder, encoder = X_q, X_kv
    queries = decoder @ Wq
    keys = encoder @ Wk
    values = encoder @ Wv
    temperature = queries.shape[-1] ** 0.5
    affinity = queries @ keys.T / temperature
    if mask is not None:
        affinity = np.where(mask, affinity, -np.inf)
    affinity -= affinity.max(axis=-1, keepdims=True)
    focus = np.exp(affinity)
    focus /= focus.sum(axis=-1, keepdims=True)
    return focus @ values, focus
