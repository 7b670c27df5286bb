import numpy as np

def causal_mask(n):
    position = np.arange(n)
    distance = np.subtract.outer(position, position)
    return distance >= 0
