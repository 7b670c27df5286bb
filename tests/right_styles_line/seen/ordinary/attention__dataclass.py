from dataclasses import dataclass

import numpy as np


@dataclass
class Result:
    output: np.ndarray
    weights: np.ndarray

    def __iter__(self):
        return iter((self.output, self.weights))


def attention(Q, K, V, mask=None):
    temperature = np.sqrt(np.size(K, 1))
    logits = np.inner(Q, K) / temperature
    if mask is not None:
        np.copyto(logits, -np.inf, where=~mask)
    logits -= logits.max(1, keepdims=True)
    powers = np.exp(logits)
    weights = np.divide(powers, powers.sum(1, keepdims=True))
    return Result(np.dot(weights, V), weights)
