import numpy as np


def softmax(x):
    x = np.asarray(x, dtype=float)
    shifted = x - np.max(x, axis=-1, keepdims=True)
    e = np.exp(shifted)
    total = np.sum(e, axis=-1, keepdims=True)
    return e / total
