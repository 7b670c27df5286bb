from __future__ import annotations

import numpy as np


def _stable_softmax(z: np.ndarray) -> np.ndarray:
    z_max = np.amax(z, axis=-1, keepdims=True)
    numerator = np.exp(z - z_max)
    denominator = np.sum(numerator, axis=-1, keepdims=True)
    return numerator / denominator


def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    assert Q.shape[1] == K.shape[1], "queries and keys must have the same width"
    assert K.shape[0] == V.shape[0]
    scale: float = Q.shape[1] ** -0.5
    energy: np.ndarray = (Q @ K.T) * scale
    if mask is not None:
        assert mask.shape == energy.shape
        energy = energy + np.where(mask, 0.0, -np.inf)
    attn: np.ndarray = _stable_softmax(energy)
    context: np.ndarray = attn @ V
    return context, attn
