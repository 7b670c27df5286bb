import numpy as np

def project_qkv(X, Wq, Wk, Wv):
    result = []
    for W in (Wq, Wk, Wv):
        result.append(np.matmul(X, W))
    return tuple(result)
