import numpy as np

def causal_mask(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            ok = j <= i
        row.append(ok)  # <- here
        rows.append(row)
    return np.array(rows)
