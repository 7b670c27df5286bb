import numpy as np

def softmax(x):
    columns = np.moveaxis(x, -1, 0)
    e = np.exp(columns - columns.max(axis=0))
    p = e / e.sum(axis=0)
    return np.moveaxis(p, 0, -1)
