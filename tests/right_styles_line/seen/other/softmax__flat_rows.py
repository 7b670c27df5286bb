import numpy as np

def softmax(x):
    flat = x.reshape(-1, x.shape[-1])
    result = np.empty_like(flat)
    for r in range(flat.shape[0]):
        top = flat[r].max()
        powers = np.exp(flat[r] - top)
        result[r] = powers / powers.sum()
    return result.reshape(x.shape)
