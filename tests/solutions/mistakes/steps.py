"""What the wrong functions of the tests are put together from: numbers, masks, and the steps as they should be."""

import numpy as np

RNG = np.random.default_rng(3)


def drawn(*shape):
    """Numbers of no pattern."""
    return RNG.uniform(-2, 2, size=shape)


def spotted(n, m):
    """A mask without symmetry, every row of which allows a key and blocks one."""
    mask = RNG.random((n, m)) < 0.5
    mask[np.arange(n), np.arange(n)] = True
    mask[np.arange(n), (np.arange(n) + 2) % m] = False
    mask[-1, 0], mask[:, -1] = True, False  # no query may read the last key
    return mask


def softmax(s, axis=-1):
    """Softmax without a look at rows that are blocked altogether."""
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def blocked(s, mask):
    """Masked as it should be."""
    return s if mask is None else np.where(mask, s, -np.inf)
