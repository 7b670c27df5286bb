import numpy as np


class Attention:
    def __init__(self, Q):
        self.root = np.sqrt(len(Q))  # <- here

    def weights(self, Q, K, mask):
        s = Q @ K.T / self.root
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    w = Attention(Q).weights(Q, K, mask)
    return w @ V, w
