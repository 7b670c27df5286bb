import numpy as np

def merge_heads(H):
    h, n, d = H.shape
    out = H.transpose(1, 0, 2).reshape(n, h * d)
    out = out.T  # <- here
    return out
