import numpy as np

def project(tokens, weight):
    return np.dot(tokens, weight)

def project_qkv(X, Wq, Wk, Wv):
    queries = project(X, Wq)
    keys = project(X, Wk)
    values = project(X, Wv)
    return queries, keys, values
