import numpy as np

def softmax(x):
    maxima = np.expand_dims(np.max(x, axis=-1), -1)
    exponentials = np.exp(x - maxima)
    sums = np.expand_dims(np.sum(exponentials, axis=-1), -1)
    return exponentials / sums
