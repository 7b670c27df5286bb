import numpy as np

def softmax(x):
    x = np.array(x, dtype=float)
    out = x  # <- here
    rows = out.reshape(-1, out.shape[-1])
    src = x.reshape(-1, x.shape[-1])
    for i in range(len(rows)):
        for j in range(rows.shape[1]):
            rows[i, j] = np.exp(src[i, j]) / np.sum(np.exp(src[i]))  # <- or here
    return out
