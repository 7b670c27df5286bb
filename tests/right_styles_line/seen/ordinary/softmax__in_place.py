import numpy as np


def softmax(x):
    out = np.array(x, dtype=np.float64)
    out -= out.max(axis=-1, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis=-1, keepdims=True)
    return out
