import numpy as np

def merge_heads(H):
    n_heads, n, d_head = H.shape
    by_token = np.einsum("hnd->nhd", H)
    return by_token.reshape(n, n_heads * d_head)
