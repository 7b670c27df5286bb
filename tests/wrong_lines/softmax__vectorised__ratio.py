import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    total = e.sum(axis=-1, keepdims=True)
    return np.exp((x - x.max(axis=-1, keepdims=True)) / total)  # <- here
