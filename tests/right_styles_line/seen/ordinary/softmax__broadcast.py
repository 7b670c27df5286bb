import numpy as np


def softmax(x):
    differences = x[..., None, :] - x[..., :, None]
    return 1.0 / np.exp(np.minimum(differences, 700)).sum(axis=-1)
