import numpy as np

def softmax(x):
    y = x - np.amax(x, -1, keepdims=True)
    y = np.exp(y)
    y = np.divide(y, np.add.reduce(y, -1, keepdims=True))
    return y
