import numpy as np


def attend_one(query, keys, values, allowed):
    logits = keys.dot(query) / np.sqrt(len(query))
    if allowed is not None:
        logits = np.where(allowed, logits, -np.inf)
    powers = np.exp(logits - logits.max())
    weights = powers / powers.sum()
    return weights.dot(values), weights


def attention(Q, K, V, mask=None):
    outputs = []
    all_weights = []
    for i in range(Q.shape[0]):
        allowed = None if mask is None else mask[i]
        output, weights = attend_one(Q[i], K, V, allowed)
        outputs.append(output)
        all_weights.append(weights)
    return np.stack(outputs), np.stack(all_weights)
