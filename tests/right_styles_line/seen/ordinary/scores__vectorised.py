import numpy as np


def scores(Q, K):
    """Every query with every key."""
    keys = np.transpose(K)
    return np.matmul(Q, keys)
