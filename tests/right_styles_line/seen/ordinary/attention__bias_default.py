import numpy as np

def attention(Q, K, V, mask=None):
    num_q, num_k = len(Q), len(K)
    bias = np.zeros((num_q, num_k))
    if mask is not None:
        bias[~mask] = -np.inf
    relevance = Q.dot(K.T) / np.sqrt(Q.shape[1])
    relevance = relevance + bias
    relevance = relevance - np.max(relevance, axis=1, keepdims=True)
    share = np.exp(relevance)
    share = share / np.sum(share, axis=1, keepdims=True)
    return share.dot(V), share
