import numpy as np

def softmax(x):
    rows = np.reshape(x, (-1, x.shape[-1]))
    result = []
    for row in rows:
        total = 0.0
        k = len(row) - 1
        while k > 0:  # <- here
            total += np.exp(row[k] - max(row))
            k -= 1
        result.append([np.exp(v - max(row)) / total for v in row])
    return np.array(result).reshape(x.shape)
