import numpy as np

def attention(Q, K, V, mask=None):
    K_t = np.transpose(K)
    raw = np.dot(Q, K_t)
    print("raw scores", raw.shape)
    dim = np.shape(K)[1]
    scaled = np.divide(raw, np.sqrt(dim))
    if mask is not None:
        blocked = np.logical_not(mask)
        scaled = np.where(blocked, -np.inf, scaled)
    top = np.max(scaled, axis=1, keepdims=True)
    expo = np.exp(np.subtract(scaled, top))
    norm = np.sum(expo, axis=1, keepdims=True)
    weights = np.divide(expo, norm)
    print("weights", weights)
    mixed = np.dot(weights, V)
    return mixed, weights
