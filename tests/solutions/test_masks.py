"""Masks: who may read whom."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solutions import attention, causal_mask, padding_mask
from solutions.masks import additive, both, causal_for, first_keys


def test_causal():
    """Token i reads tokens 0..i."""
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(3).dtype == bool


def test_causal_of_a_rectangle():
    """More keys than queries: aligned at the top left."""
    assert causal_for(np.zeros((2, 3))).tolist() == [[True, False, False], [True, True, False]]


@given(st.integers(2, 5), st.data())
def test_causal_does_not_read_the_future(n, data):
    """Changing a later token leaves earlier outputs as they are."""
    t = data.draw(st.integers(1, n - 1))
    x = np.random.default_rng(n).normal(size=(n, 3))
    y = x.copy()
    y[t] += 1

    before, after = (attention(a, a, a, causal_mask(n))[0] for a in (x, y))

    assert np.array_equal(before[:t], after[:t])
    assert not np.array_equal(before[t], after[t])


def test_padding():
    """The first keys of each sequence are tokens; a sequence may be empty."""
    assert padding_mask([2, 3, 0], 3).tolist() == [[True, True, False], [True, True, True], [False, False, False]]


def test_combined():
    """A key may be read if it is neither later nor padding."""
    padding = first_keys(2, 3)

    assert padding.tolist() == [True, True, False]
    assert both(causal_mask(3), padding).tolist() == [[True, False, False], [True, True, False], [True, True, False]]


def test_additive():
    """Allowed adds 0, blocked adds -inf."""
    assert additive(np.array([True, False])).tolist() == [0, -np.inf]


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: causal_mask(2.5), TypeError, "n must be a whole number, got 2.5"),
        (lambda: causal_mask(0), ValueError, "n must be at least 1, got 0"),
        (lambda: padding_mask([1.5], 2), TypeError, "lengths must be whole numbers"),
        (lambda: padding_mask(2, 2), ValueError, r"one axis, got shape \(\)"),
        (lambda: padding_mask([3], 2), ValueError, r"0\.\.2, got \[3\]"),
        (lambda: padding_mask([-1], 2), ValueError, r"0\.\.2, got \[-1\]"),
    ],
)
def test_what_does_not_fit(call, error, says):
    """Impossible sizes are named."""
    with pytest.raises(error, match=says):
        call()
