import numpy as np

def softmax(x, axis=-1):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    exps = np.exp(shifted)
    norm = np.sum(exps, axis=axis, keepdims=True)
    return exps / norm
