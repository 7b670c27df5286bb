import numpy as np


def softmax(x):
    total = np.logaddexp.reduce(x, axis=-1, keepdims=True)
    return np.exp(x - total)
