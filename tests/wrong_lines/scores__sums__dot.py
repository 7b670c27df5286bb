import numpy as np

def scores(Q, K):
    S = np.zeros((len(Q), len(K)))
    total = 0  # <- here
    for i in range(len(Q)):
        for j in range(len(K)):
            for c in range(Q.shape[1]):
                total += Q[i, c] * K[j, c]
            S[i, j] = total
    return S
