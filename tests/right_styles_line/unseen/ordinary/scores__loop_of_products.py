import numpy as np

def scores(Q, K):
    rows = []
    for query in Q:
        rows.append(K @ query)
    return np.stack(rows)
