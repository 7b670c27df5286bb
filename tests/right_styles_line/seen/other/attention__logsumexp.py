import numpy as np

def logsumexp(a):
    m = a.max(axis=1, keepdims=True)
    return m + np.log(np.exp(a - m).sum(axis=1, keepdims=True))

def attention(Q, K, V, mask=None):
    a = Q @ K.T / Q.shape[1] ** 0.5
    if mask is not None:
        a = np.where(mask, a, -np.inf)
    log_p = a - logsumexp(a)
    p = np.exp(log_p)
    return p @ V, p
