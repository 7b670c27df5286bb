import numpy as np


def scores(Q, K):
    return np.inner(Q, K)
