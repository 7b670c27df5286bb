import numpy as np

softmax = lambda z: np.exp(z - z.max(-1, keepdims=True)) / np.exp(z - z.max(-1, keepdims=True)).sum(-1, keepdims=True)

def attention(Q, K, V, mask=None):
    z = Q @ K.T * K.shape[1] ** -0.5
    if mask is not None:
        z = np.where(mask, z, -1e9)
    A = softmax(z)
    return A @ V, A
