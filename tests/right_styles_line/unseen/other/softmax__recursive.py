import numpy as np

def softmax(x):
    x = np.asarray(x)
    if x.ndim > 1:
        return np.stack([softmax(row) for row in x])
    e = np.exp(x - x.max())
    return e / e.sum()
