import numpy as np

def masked_fill(a, where, value):
    b = a.copy()
    b[where] = value
    return b

def softmax(a):
    a = a - a.max(axis=-1, keepdims=True)
    b = np.exp(a)
    b = b / b.sum(axis=-1, keepdims=True)
    return b

def attention(Q, K, V, mask=None):
    a = Q @ K.T
    a = a / Q.shape[-1] ** 0.5
    if mask is not None:
        a = masked_fill(a, ~mask, -1e18)
    a = softmax(a)
    return a @ V, a
