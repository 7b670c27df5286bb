import numpy as np


def softmax(x):
    with np.errstate(over="ignore"):
        return 1 / np.exp(x[..., None, :] - x[..., :, None]).sum(axis=-1)
