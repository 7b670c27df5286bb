import numpy as np

def scores(Q, K):
    S = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            total = 0.0
            for c in range(Q.shape[1]):
                total += Q[i, c] * K[j, c]
        S[i, j] = total  # <- here
    return S
