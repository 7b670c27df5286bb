import numpy as np

def causal_mask(n):
    row = [False] * n
    rows = []
    for i in range(n):
        row[i] = True
        rows.append(row)  # <- here
    return np.array(rows)
