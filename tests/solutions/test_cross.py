"""Cross-attention: one sequence asks, the other is read."""

import numpy as np
import pytest

from solutions import attention, cross_attention

RNG = np.random.default_rng(7)
X_Q, X_KV = RNG.normal(size=(2, 3)), RNG.normal(size=(4, 5))
WQ, WK, WV = RNG.normal(size=(3, 2)), RNG.normal(size=(5, 2)), RNG.normal(size=(5, 6))


def test_sources():
    """Queries come from the first sequence, keys and values from the second."""
    output, weights = cross_attention(X_Q, X_KV, WQ, WK, WV)

    expected = attention(X_Q @ WQ, X_KV @ WK, X_KV @ WV)
    assert output.shape == (2, 6)
    assert weights.shape == (2, 4)
    assert np.array_equal(output, expected[0])
    assert np.array_equal(weights, expected[1])


def test_padding_of_the_source():
    """Padded source tokens weigh nothing."""
    _, weights = cross_attention(X_Q, X_KV, WQ, WK, WV, np.array([True, True, True, False]))

    assert not weights[:, 3].any()


def test_what_does_not_fit():
    """A weight for the other sequence does not fit, and both shapes are named."""
    with pytest.raises(ValueError, match=r"\(2, 3\) and \(5, 2\)"):
        cross_attention(X_Q, X_KV, WK, WK, WV)
