import numpy as np

def scores(Q, K):
    keys_as_columns = np.transpose(K)
    result = np.dot(Q, keys_as_columns)
    assert result.shape == (len(Q), len(K))
    return result
