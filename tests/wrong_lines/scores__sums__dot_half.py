import numpy as np

def scores(Q, K):
    S = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        total = 0.0  # <- here
        for j in range(len(K)):
            for c in range(Q.shape[1]):
                total = total + Q[i, c] * K[j, c]
            S[i, j] = total
    return S
