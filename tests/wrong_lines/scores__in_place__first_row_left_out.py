import numpy as np


def scores(Q, K):
    out = np.zeros((Q.shape[0], K.shape[0]))
    out[1:] = Q[1:] @ K.T  # <- here
    return out
