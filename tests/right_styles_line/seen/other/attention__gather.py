import numpy as np


def attention(Q, K, V, mask=None):
    """Only the allowed keys are looked at, query by query."""
    n, m = len(Q), len(K)
    weights = np.zeros((n, m))
    output = np.zeros((n, V.shape[1]))
    for i in range(n):
        allowed = np.arange(m) if mask is None else np.flatnonzero(mask[i])
        logits = K[allowed] @ Q[i] / np.sqrt(Q.shape[1])
        powers = np.exp(logits - logits.max())
        shares = powers / powers.sum()
        weights[i, allowed] = shares
        output[i] = shares @ V[allowed]
    return output, weights
