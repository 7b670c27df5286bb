import numpy as np


def softmax(x):
    largest = np.max(x, axis=0)  # <- or here
    shifted = x - largest
    powers = np.exp(shifted)
    total = np.sum(powers, axis=0)  # <- here
    return powers / total
