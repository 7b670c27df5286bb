import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=0, keepdims=True))  # <- or here
    return e / e.sum(axis=0, keepdims=True)  # <- here
