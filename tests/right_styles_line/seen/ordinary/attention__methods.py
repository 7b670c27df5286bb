import numpy as np


class Attention:
    def __init__(self, width):
        self.width = width

    def scores(self, queries, keys):
        return queries @ keys.T / np.sqrt(self.width)

    def mask(self, logits, allowed):
        if allowed is None:
            return logits
        return np.where(allowed, logits, -np.inf)

    def softmax(self, logits):
        logits = logits - logits.max(axis=-1, keepdims=True)
        powers = np.exp(logits)
        return powers / powers.sum(axis=-1, keepdims=True)

    def __call__(self, queries, keys, values, allowed=None):
        logits = self.mask(self.scores(queries, keys), allowed)
        weights = self.softmax(logits)
        return weights @ values, weights


def attention(Q, K, V, mask=None):
    layer = Attention(Q.shape[1])
    return layer(Q, K, V, mask)
