import numpy as np


def softmax(x):
    x = np.asarray(x, dtype=float)
    top = x.max(axis=-1, keepdims=True)
    log_total = top + np.log(np.exp(x - top).sum(axis=-1, keepdims=True))
    return np.exp(x - log_total)
