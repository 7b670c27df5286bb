import numpy as np

def split_heads(X, n_heads):
    tokens, width = X.shape
    assert width % n_heads == 0
    per_head = width // n_heads
    cut = X.reshape(tokens, n_heads, per_head)
    return cut.swapaxes(0, 1)
