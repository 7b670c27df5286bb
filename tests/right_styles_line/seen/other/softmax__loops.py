import math

import numpy as np


def softmax(x):
    x = np.asarray(x, dtype=float)
    flat = x.reshape(-1, x.shape[-1])
    out = np.zeros(flat.shape)
    for i in range(flat.shape[0]):
        top = flat[i, 0]
        for j in range(1, flat.shape[1]):
            if flat[i, j] > top:
                top = flat[i, j]
        total = 0.0
        for j in range(flat.shape[1]):
            out[i, j] = math.exp(flat[i, j] - top)
            total += out[i, j]
        for j in range(flat.shape[1]):
            out[i, j] = out[i, j] / total
    return out.reshape(x.shape)
