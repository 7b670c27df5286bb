"""Exercise 6: scaled dot product attention."""
import math

import numpy as np


def row_softmax(matrix):
    # stable version
    biggest = matrix.max(axis=1)
    shifted = matrix - biggest[:, None]
    powers = np.exp(shifted)
    totals = powers.sum(axis=1)
    return powers / totals[:, None]


def attention(Q, K, V, mask=None):
    # 1. how similar is every query to every key
    similarity = Q.dot(K.T)
    # 2. scale
    factor = 1 / math.sqrt(K.shape[1])
    similarity = similarity * factor
    # 3. mask
    if mask is not None:
        similarity = np.where(mask, similarity, float("-inf"))
    # 4. weights
    alpha = row_softmax(similarity)
    # 5. mix
    result = alpha.dot(V)
    return result, alpha
