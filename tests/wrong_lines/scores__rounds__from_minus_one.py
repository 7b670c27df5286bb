import numpy as np

def scores(Q, K):
    S = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            for c in range(-1, Q.shape[1]):  # <- here
                S[i, j] += Q[i, c] * K[j, c]
    return S
