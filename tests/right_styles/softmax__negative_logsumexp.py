import numpy as np


def softmax(x):
    top = np.max(x, axis=-1, keepdims=True)
    log_sum = top + np.log(np.sum(np.exp(x - top), axis=-1, keepdims=True))
    return np.exp(x - log_sum)
