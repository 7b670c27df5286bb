import numpy as np

def project_qkv(X, Wq, Wk, Wv):
    to_q = lambda tokens: tokens @ Wq
    to_k = lambda tokens: tokens @ Wk
    to_v = lambda tokens: tokens @ Wv
    return to_q(X), to_k(X), to_v(X)
