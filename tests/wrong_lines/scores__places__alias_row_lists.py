import numpy as np

def scores(Q, K):
    out = [[0.0] * len(K)] * len(Q)  # <- here
    for i in range(len(Q)):
        for j in range(len(K)):
            out[i][j] = Q[i] @ K[j]
    return np.array(out)
