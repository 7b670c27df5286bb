import numpy as np

def linear(x, w):
    return x @ w

def softmax_rows(s):
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

def scaled_scores(q, k):
    return q @ k.T / np.sqrt(q.shape[1])

def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    decoder_q = linear(X_q, Wq)
    encoder_k = linear(X_kv, Wk)
    encoder_v = linear(X_kv, Wv)
    s = scaled_scores(decoder_q, encoder_k)
    if mask is not None:
        s[mask == 0] = -np.inf
    w = softmax_rows(s)
    return w @ encoder_v, w
