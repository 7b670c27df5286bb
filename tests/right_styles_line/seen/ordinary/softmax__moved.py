import numpy as np


def softmax(x):
    x = np.moveaxis(np.asarray(x, dtype=float), -1, 0)
    top = x.max(axis=0)
    powers = np.exp(x - top)
    shares = powers / powers.sum(axis=0)
    return np.moveaxis(shares, 0, -1)
