import numpy as np

def attention(Q, K, V, mask=None):
    """Scaled dot-product attention, every step on its own line."""
    number_of_queries = Q.shape[0]
    number_of_keys = K.shape[0]
    key_width = K.shape[1]
    compatibility = np.dot(Q, np.transpose(K))
    assert compatibility.shape == (number_of_queries, number_of_keys)
    root = np.sqrt(key_width)
    compatibility_scaled = compatibility / root
    if mask is not None:
        compatibility_scaled = np.where(mask, compatibility_scaled, -np.inf)
    highest = np.max(compatibility_scaled, axis=1).reshape(number_of_queries, 1)
    exponentials = np.exp(compatibility_scaled - highest)
    denominators = np.sum(exponentials, axis=1).reshape(number_of_queries, 1)
    distribution = exponentials / denominators
    blended = np.dot(distribution, V)
    return blended, distribution
