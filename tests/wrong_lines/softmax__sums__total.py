import numpy as np

def softmax(x):
    flat = x.reshape(-1, x.shape[-1])
    out = []
    total = 0.0  # <- here
    for row in flat:
        for v in row:
            total += np.exp(v)
        out.append(np.exp(row) / total)
    return np.array(out).reshape(x.shape)
