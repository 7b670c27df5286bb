import numpy as np

def split_heads(X, n_heads):
    size = X.shape[1] // n_heads
    heads = []
    for h in range(n_heads):
        columns = list(range(h * size, (h + 1) * size))
        heads.append(X[:, columns])
    return np.array(heads)
