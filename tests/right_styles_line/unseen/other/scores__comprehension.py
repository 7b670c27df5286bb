import numpy as np

def scores(Q, K):
    return np.array([[sum(a * b for a, b in zip(q, k)) for k in K] for q in Q])
