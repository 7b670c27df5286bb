"""Comparing typed cells with expected numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.compare import array_gap, exact, is_coarse, matches
from grader.model import Cell


def test_half_a_unit_of_the_last_decimal_is_right_and_more_is_not():
    """Asked for 4 decimals, 0.6697615493 is right as 0.6698 and as 0.66981, not as 0.6697 or 0.67."""
    want = 0.6697615493

    assert matches(Fraction("0.6698"), want, 4)
    assert matches(Fraction("0.66981"), want, 4)
    assert not matches(Fraction("0.6697"), want, 4)
    assert not matches(Fraction("0.67"), want, 4)


def test_the_bounds_are_included():
    """A number on the edge of the half unit is right, whichever way it is rounded."""
    assert matches(Fraction("0.12345"), 0.1234 + 0.00005, 4)
    assert matches(Fraction("0.1234"), 0.12345, 4)
    assert matches(Fraction("0.1235"), 0.12345, 4)


def test_an_exact_number_is_compared_exactly():
    """3 is not 3.1 or 2.9999 where an integer is wanted, and 5 - 1/2 is 4.5."""
    assert matches(Fraction(3), 3.0, 0)
    assert not matches(Fraction("2.9999"), 3.0, 0)
    assert not matches(Fraction("3.1"), 3.0, 0)
    assert matches(Fraction(9, 2), 4.5, 1)


def test_nan_never_passes_and_infinity_only_where_it_is_wanted():
    """NaN is never right; -inf is right only for -inf."""
    inf = float("inf")

    assert not matches(float("nan"), 0.5, 4)
    assert not matches(Fraction(1, 2), float("nan"), 4)
    assert not matches(-inf, 0.5, 4)
    assert matches(-inf, -inf, 4)
    assert not matches(inf, -inf, 4)
    assert not matches(Fraction(0), -inf, 4)


def test_minus_zero_is_zero():
    """A float -0.0 equals a wanted 0, and 0 equals a wanted -0.0."""
    assert matches(-0.0, 0.0, 2)
    assert matches(Fraction(0), -0.0, 2)


@given(st.floats(-1000, 1000, allow_nan=False), st.integers(0, 6))
def test_the_value_rounded_as_asked_is_always_right(want, decimals):
    """What the page would show is accepted, for every number and number of decimals."""
    assert matches(Fraction(f"{want:.{decimals}f}"), want, decimals)


@given(st.floats(-100, 100, allow_nan=False), st.integers(0, 5), st.sampled_from([-1, 1]))
def test_one_and_a_half_units_away_is_never_right(want, decimals, sign):
    """A number that far off would be rounded to another one."""
    off = Fraction(want) + sign * Fraction(3, 2) / 10**decimals

    assert not matches(off, want, decimals)


def test_exact_tells_rationals_of_the_asked_decimals():
    """0.25 is exact at two decimals, not at one; a third never is."""
    assert exact(0.25, 2) == Fraction(1, 4)
    assert exact(0.25, 1) is None
    assert exact(1 / 3, 4) is None
    assert exact(float("nan"), 2) is None


def test_a_right_value_with_too_few_digits_is_coarse_only_with_half_of_them():
    """0.67 for 0.6698 is too coarse; 0.7 says too little to be called right, and 0.66 is wrong."""
    want = 0.6697615493

    assert is_coarse(Cell("0.67", Fraction("0.67"), 2), want, 4)
    assert not is_coarse(Cell("0.7", Fraction("0.7"), 1), want, 4)
    assert not is_coarse(Cell("0.66", Fraction("0.66"), 2), want, 4)
    assert not is_coarse(Cell("2/3", Fraction(2, 3), None), want, 4)


def test_the_gap_counts_in_tolerances():
    """Two tolerances of 0.00005 lie between 0.5001 and 0.5002; other shapes and exact numbers lie infinitely apart."""
    near = array_gap(np.array([0.50012]), np.array([0.50022]), 4)

    assert near == pytest.approx(2.0)
    assert array_gap(np.zeros(2), np.zeros(3), 4) == float("inf")
    assert array_gap(np.array([3.0]), np.array([4.0]), 0) == float("inf")
    assert array_gap(np.array([3.0]), np.array([np.nan]), 0) == float("inf")
    assert array_gap(np.array([-np.inf, 1.0]), np.array([-np.inf, 1.0]), 2) == 0
