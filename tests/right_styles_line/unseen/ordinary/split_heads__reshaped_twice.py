import numpy as np

def split_heads(X, n_heads):
    n, d = X.shape
    step = X.reshape(n, n_heads, d // n_heads)
    step = np.transpose(step, axes=(1, 0, 2))
    return step
