import numpy as np


class MultiHead:
    def __init__(self, Wq, Wk, Wv, Wo, n_heads):
        self.Wq, self.Wk, self.Wv, self.Wo = Wq, Wk, Wv, Wo
        self.n_heads = n_heads
        self.d_head = Wq.shape[1] // n_heads

    def split(self, x):
        return x.reshape(len(x), self.n_heads, self.d_head).swapaxes(0, 1)

    def merge(self, x):
        return x.swapaxes(0, 1).reshape(x.shape[1], -1)

    def forward(self, x, mask):
        q = self.split(x @ self.Wq)
        k = self.split(x @ self.Wk)
        v = self.split(x @ self.Wv)
        scores = np.einsum("hid,hjd->hij", q, k) / np.sqrt(self.d_head)
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        scores = scores - scores.max(axis=-1, keepdims=True)
        weights = np.exp(scores)
        weights /= weights.sum(axis=-1, keepdims=True)
        return self.merge(weights @ v) @ self.Wo


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    return MultiHead(Wq, Wk, Wv, Wo, n_heads).forward(X, mask)
