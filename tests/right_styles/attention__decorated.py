from functools import wraps

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def checked(function):
    @wraps(function)
    def run(*args, **kwargs):
        assert args[0].shape[1] == args[1].shape[1]
        return function(*args, **kwargs)

    return run


@checked
def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    w = softmax(s if mask is None else np.where(mask, s, -np.inf))
    return w @ V, w
