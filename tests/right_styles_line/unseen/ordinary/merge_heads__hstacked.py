import numpy as np

def merge_heads(H):
    matrices = [H[h] for h in range(H.shape[0])]
    return np.hstack(matrices)
