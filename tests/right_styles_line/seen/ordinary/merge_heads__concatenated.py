import numpy as np

def merge_heads(H):
    parts = []
    for head in H:
        parts.append(head)
    return np.concatenate(parts, axis=-1)
