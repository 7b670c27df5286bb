import numpy as np


def project_qkv(X, Wq, Wk, Wv):
    packed = X @ np.concatenate([Wq, Wk, Wv], axis=1)
    cuts = [Wq.shape[1], Wq.shape[1] + Wk.shape[1]]
    return np.split(packed, cuts, axis=1)
