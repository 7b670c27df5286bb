import numpy as np

def scores(Q, K):
    dot_products = np.einsum("qd,kd->qk", Q, K)
    return dot_products
