import numpy as np


def scores(Q, K):
    return np.einsum("id,jd->ij", Q, K)
