import numpy as np

def merge_heads(H):
    tokens_first = H.swapaxes(0, 1)
    n = tokens_first.shape[0]
    return tokens_first.reshape(n, -1)
