import numpy as np

def softmax(x):
    scores = np.array(x, copy=True)
    row_max = scores.max(axis=-1, keepdims=True)
    scores -= row_max
    np.exp(scores, out=scores)
    row_sum = scores.sum(axis=-1, keepdims=True)
    scores /= row_sum
    return scores
