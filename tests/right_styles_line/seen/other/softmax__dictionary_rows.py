import math

import numpy as np

def softmax(x):
    shape = np.shape(x)
    rows = np.reshape(x, (-1, shape[-1])).tolist()
    result = []
    for row in rows:
        high = max(row)
        exps = [math.exp(value - high) for value in row]
        whole = sum(exps)
        result.append([value / whole for value in exps])
    return np.reshape(result, shape)
