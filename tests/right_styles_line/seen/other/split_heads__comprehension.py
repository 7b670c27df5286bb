import numpy as np

def split_heads(X, n_heads):
    w = X.shape[1] // n_heads
    return np.array([[[X[i, h * w + c] for c in range(w)] for i in range(len(X))] for h in range(n_heads)])
