import numpy as np

def dot(a, b):
    total, c = 0.0, 1  # <- here
    while c < len(a):
        total += a[c] * b[c]
        c += 1
    return total

def scores(Q, K):
    return np.array([[dot(q, k) for k in K] for q in Q])
