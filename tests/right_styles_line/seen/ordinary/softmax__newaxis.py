import numpy as np

def softmax(x):
    x = np.asarray(x, dtype=float)
    largest = x.max(axis=-1)
    shifted = x - largest[..., np.newaxis]
    powers = np.exp(shifted)
    sums = powers.sum(axis=-1)
    result = powers / sums[..., np.newaxis]
    return result
