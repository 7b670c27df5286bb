"""Points as people write them: exact, bounded before any arithmetic, one reader for every kind of file."""

from fractions import Fraction

import pytest

from grader.worksheet import points


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", Fraction(2)), (" 0.5 ", Fraction(1, 2)), ("1/3", Fraction(1, 3)), ("5e-1", Fraction(1, 2)),
        (".25", Fraction(1, 4)), ("+1", Fraction(1)), ("0", Fraction(0)),
        (1e-05, Fraction(1, 100_000)), (3, Fraction(3)), ("1000000", Fraction(10**6)),
    ],
)  # fmt: skip
def test_numbers_and_fractions_are_read_exactly(text, value):
    """Of a file's text, or of what YAML made of it."""
    assert points.read(text) == value


@pytest.mark.parametrize(
    "text",
    ["1e999999999", "1e-999999999", "9" * 21, "9" * 5000, "1/" + "9" * 5000, "1e99", "1000001", "1/0", "-1", "", "two",
     "nan", "inf", "0x10", "1_0", "1 2", "1/2/3", "True", "None"],
)  # fmt: skip
def test_anything_else_is_refused_before_it_is_worked_out(text):
    """A power with nine digits would take longer than anyone lives."""
    with pytest.raises(ValueError, match=r"points|nothing"):
        points.read(text)


def test_the_sum_of_odd_fractions_is_read_back():
    """Thirty blanks, each as odd as can be: a lock holds what they come to."""
    odd = [Fraction(1, 10**18 - number) for number in range(30)] + [points.read("1e-99")]
    total = sum(odd, Fraction(0))

    assert points.read_sum(str(total)) == total
    with pytest.raises(ValueError, match="points"):
        points.read_sum("1e99")
