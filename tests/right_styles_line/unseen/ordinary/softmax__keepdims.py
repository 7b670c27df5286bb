import numpy as np

def softmax(x):
    m = np.max(x, axis=-1, keepdims=True)
    z = np.exp(x - m)
    total = np.sum(z, axis=-1, keepdims=True)
    return z / total
