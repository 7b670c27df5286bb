import numpy as np


class MultiHeadAttention:
    def __init__(self, Wq, Wk, Wv, Wo, heads):
        self.Wq, self.Wk, self.Wv, self.Wo = Wq, Wk, Wv, Wo
        self.heads = heads

    def split(self, x):
        n, d = x.shape
        return x.reshape(n, self.heads, d // self.heads).transpose(1, 0, 2)

    def merge(self, x):
        x = x.transpose(1, 0, 2)
        return x.reshape(x.shape[0], -1)

    def softmax(self, x):
        x = x - x.max(axis=-1, keepdims=True)
        e = np.exp(x)
        return e / e.sum(axis=-1, keepdims=True)

    def forward(self, x, mask=None):
        q = self.split(x @ self.Wq)
        k = self.split(x @ self.Wk)
        v = self.split(x @ self.Wv)
        s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        w = self.softmax(s)
        return self.merge(w @ v) @ self.Wo


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    layer = MultiHeadAttention(Wq, Wk, Wv, Wo, n_heads)
    return layer.forward(X, mask)
