import numpy as np

def linear(inputs, weights):
    assert inputs.shape[1] == weights.shape[0]
    return np.einsum("ij,jk->ik", inputs, weights)

def project_qkv(X, Wq, Wk, Wv):
    Q = linear(X, Wq)
    K = linear(X, Wk)
    V = linear(X, Wv)
    assert Q.shape == K.shape
    return Q, K, V
