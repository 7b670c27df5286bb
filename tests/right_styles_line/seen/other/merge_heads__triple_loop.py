import numpy as np

def merge_heads(H):
    heads, tokens, width = H.shape
    rows = []
    for t in range(tokens):
        row = []
        for h in range(heads):
            for c in range(width):
                row.append(H[h, t, c])
        rows.append(row)
    return np.array(rows)
