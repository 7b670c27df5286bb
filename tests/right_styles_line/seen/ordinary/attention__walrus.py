import numpy as np

def attention(Q, K, V, mask=None):
    logits = (Q @ K.T) / np.sqrt(width := Q.shape[1])
    assert width == K.shape[1]
    if mask is not None:
        np.putmask(logits, ~mask, -np.inf)
    peak = logits.max(axis=1, keepdims=True)
    unnormalised = np.exp(logits - peak)
    partition = unnormalised.sum(axis=1, keepdims=True)
    probabilities = unnormalised / partition
    return probabilities @ V, probabilities
