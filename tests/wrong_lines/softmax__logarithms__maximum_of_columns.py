import numpy as np


def softmax(x):
    x = np.asarray(x, dtype=float)
    top = x.max(axis=0, keepdims=True)  # <- here
    log_total = np.log(np.exp(x - x.max(axis=-1, keepdims=True)).sum(axis=-1, keepdims=True))
    return np.exp(x - top - log_total)
