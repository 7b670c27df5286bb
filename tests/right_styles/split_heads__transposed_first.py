def split_heads(X, n_heads):
    return X.T.reshape(n_heads, -1, len(X)).transpose(0, 2, 1)
