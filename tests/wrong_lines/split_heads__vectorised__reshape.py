import numpy as np


def split_heads(X, n_heads):
    n, d_model = X.shape
    return X.reshape(n_heads, n, d_model // n_heads)  # <- here
