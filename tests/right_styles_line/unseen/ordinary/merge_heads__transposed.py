import numpy as np

def merge_heads(H):
    h, n, d = H.shape
    back = np.transpose(H, (1, 0, 2))
    flat = back.reshape((n, h * d))
    return flat
