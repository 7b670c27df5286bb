import numpy as np

def stabilise(v):
    return v - np.max(v, axis=-1, keepdims=True)

def softmax(x):
    u = np.exp(stabilise(x))
    return u / np.sum(u, axis=-1, keepdims=True)
