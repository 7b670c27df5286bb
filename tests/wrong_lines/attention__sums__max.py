import numpy as np

def attention(Q, K, V, mask=None):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        S = np.where(mask, S, -np.inf)
    W = np.zeros(S.shape)
    denominator = 0.0  # <- here
    for i in range(len(Q)):
        top = max(S[i])
        for j in range(len(K)):
            W[i, j] = np.exp(S[i, j] - top)
            denominator += W[i, j]
        W[i] = W[i] / denominator
    return W @ V, W
