import numpy as np


def scores(Q, K):
    s = Q @ K.T
    return s / np.sqrt(Q.shape[1])  # <- here
