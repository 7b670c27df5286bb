import numpy as np


def softmax(x):
    x - x.max(axis=-1, keepdims=True)  # <- here
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)
