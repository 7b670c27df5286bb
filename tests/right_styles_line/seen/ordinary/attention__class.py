import numpy as np


class Attention:
    def __init__(self, width):
        self.scale = 1 / np.sqrt(width)

    def logits(self, Q, K):
        return (Q @ K.T) * self.scale

    def hide(self, logits, mask):
        if mask is None:
            return logits
        return np.where(mask, logits, -np.inf)

    def normalise(self, logits):
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def __call__(self, Q, K, V, mask=None):
        weights = self.normalise(self.hide(self.logits(Q, K), mask))
        return weights @ V, weights


def attention(Q, K, V, mask=None):
    return Attention(Q.shape[-1])(Q, K, V, mask)
