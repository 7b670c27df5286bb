import numpy as np

def softmax(logits):
    top = logits.max(axis=-1, keepdims=True)
    p = np.exp(logits - top)
    p /= p.sum(axis=-1, keepdims=True)
    return p

def attention(Q, K, V, mask=None):
    temperature = np.sqrt(K.shape[1])
    logits = Q @ K.T / temperature
    if mask is not None:
        penalty = (1 - mask.astype(float)) * -1e20
        logits = logits + penalty
    probs = softmax(logits)
    read = probs @ V
    return (read, probs)
