import numpy as np


def softmax(x):
    x = np.asarray(x, dtype=float)
    rows = x.reshape(-1, x.shape[-1])
    result = np.empty_like(rows)
    for i, row in enumerate(rows):
        powers = np.exp(row - row.max())
        result[i] = powers / powers.sum()
    return result.reshape(x.shape)
