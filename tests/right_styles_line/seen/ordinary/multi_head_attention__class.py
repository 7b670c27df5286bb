import numpy as np


class Head:
    def __init__(self, Wq, Wk, Wv):
        self.Wq, self.Wk, self.Wv = Wq, Wk, Wv

    def weights(self, X, mask):
        q = X @ self.Wq
        k = X @ self.Wk
        s = q @ k.T / np.sqrt(q.shape[1])
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def __call__(self, X, mask):
        return self.weights(X, mask) @ (X @ self.Wv)


def multi_head_attention(X, Wq, Wk, Wv, Wo, n_heads, mask=None):
    width = Wq.shape[1] // n_heads
    heads = []
    for h in range(n_heads):
        part = slice(h * width, (h + 1) * width)
        heads.append(Head(Wq[:, part], Wk[:, part], Wv[:, part]))
    outputs = [head(X, mask) for head in heads]
    return np.concatenate(outputs, axis=1) @ Wo
