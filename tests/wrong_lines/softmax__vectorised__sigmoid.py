import numpy as np


def softmax(x):
    return 1 / (1 + np.exp(-x))  # <- here
