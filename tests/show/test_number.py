"""Values as short text."""

from fractions import Fraction

import numpy as np
import pytest

from grader.show import number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (14.0, "14"),
        (0.24472847, "0.2447"),
        (0.00123456, "0.001235"),
        (3.14159265, "3.1416"),
        (-0.5, "-0.5"),
        (1e-9, "1e-09"),
        (123456789.0, "1.235e+08"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (99999.99999, "100000"),
    ],
)
def test_a_number_has_no_more_digits_than_help(value, text):
    """Four decimals, or four significant digits below one; no trailing zeros, no negative zero."""
    assert text == number.number(value)


@pytest.mark.parametrize(
    ("value", "with_signs", "without"),
    [
        ("3", "3", "3"),
        ("7/2", "3½", "3.5"),
        ("1/2", "½", "0.5"),
        ("1/3", "⅓", "1/3"),
        ("7/5", "1.4", "1.4"),
        ("41/12", "3 5/12", "3 5/12"),
        ("5/12", "5/12", "5/12"),
        ("0", "0", "0"),
    ],
)
def test_points_are_exact(value, with_signs, without):
    """Points are never rounded: a sign, a decimal that ends, or a fraction."""
    assert with_signs == number.points(Fraction(value))
    assert without == number.points(Fraction(value), signs=False)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, 2.5], "1, 2.5"),
        ([[0, 1], (1, 2)], "[0, 1], [1, 2]"),
        (np.array([[1.0, 2.0]]), "[1, 2]"),
        (np.float64(0.5), "0.5"),
        ({"a": 1}, "a: 1"),
        (None, "None"),
        (True, "True"),
        (Fraction(1, 3), "1/3"),
        ("\x07", "\\x07"),
        pytest.param(10**5000, "≈ 1e5000", id="huge"),
        (object, "<class 'object'>"),
    ],
)
def test_anything_can_stand_in_a_sentence(value, text):
    """Lists are joined, arrays are lists, strings are made safe, huge integers do not fail."""
    assert text == number.shown(value)
