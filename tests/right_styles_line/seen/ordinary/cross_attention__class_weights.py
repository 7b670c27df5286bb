import numpy as np


class CrossAttention:
    def __init__(self, Wq, Wk, Wv):
        self.Wq = Wq
        self.Wk = Wk
        self.Wv = Wv

    def forward(self, target, source, mask):
        q = target @ self.Wq
        k = source @ self.Wk
        v = source @ self.Wv
        s = q @ k.T
        s = s / np.sqrt(k.shape[-1])
        if mask is not None:
            s = np.where(mask, s, -1e20)
        s = s - s.max(axis=-1, keepdims=True)
        w = np.exp(s)
        w = w / w.sum(axis=-1, keepdims=True)
        return w @ v, w


def cross_attention(X_q, X_kv, Wq, Wk, Wv, mask=None):
    return CrossAttention(Wq, Wk, Wv).forward(X_q, X_kv, mask)
