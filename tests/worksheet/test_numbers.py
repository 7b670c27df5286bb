"""Reading one number: every way people type it, and a reason for everything else."""

import math
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.worksheet.numbers import echo, fixed, plain, read_number
from grader.worksheet.unreadable import Unreadable
from tests.patience import no_hang

READ = [
    ("0.67", Fraction(67, 100)),
    (".823", Fraction(823, 1000)),
    ("0.823", Fraction(823, 1000)),
    ("1.", 1),
    ("+0.5", Fraction(1, 2)),
    ("-1/2", Fraction(-1, 2)),
    ("\u22120.5", Fraction(-1, 2)),  # the minus of a calculator
    ("\uff0d3", -3),
    ("\ufe633", -3),
    ("\u20133", -3),
    ("\u20143", -3),
    ("\u20103", -3),
    ("１２．５", Fraction(25, 2)),
    ("（1＋2）×３", 9),
    ("\u0663", 3),  # any script's decimal digits
    ("½", Fraction(1, 2)),
    ("1½", Fraction(3, 2)),
    ("-1½", Fraction(-3, 2)),
    ("3¾", Fraction(15, 4)),
    ("10²", 100),
    ("10⁻²", Fraction(1, 100)),
    ("2×10⁵", 200000),
    ("1.6*10^-19", Fraction("1.6e-19")),
    ("1.6×10^(-19)", Fraction("1.6e-19")),
    ("1.6e-19", Fraction("1.6e-19")),
    ("1.6 e -19", Fraction("1.6e-19")),
    ("1.6E-19", Fraction("1.6e-19")),
    ("6.022e23", Fraction("6.022e23")),
    ("1*10^-4", Fraction(1, 10000)),
    ("0.00005", Fraction(5, 100000)),
    ("166666/1000000", Fraction(166666, 1000000)),
    ("1÷4", Fraction(1, 4)),
    ("1∕4", Fraction(1, 4)),
    ("1⁄4", Fraction(1, 4)),
    ("1/2/3", Fraction(1, 6)),
    ("3·4", 12),
    ("2^-3", Fraction(1, 8)),
    ("2**3", 8),
    ("-2^2", -4),
    ("2^3^2", 512),
    ("2^3*10^2", 800),
    ("1/2*10^2", 50),
    ("sqrt(4)", 2),
    ("√9/3", 1),
    ("sqrt 4", 2),
    ("sqrt4", 2),
    ("4^0.5", 2),
    ("2√4", 4),
    ("2(3+1)", 8),
    ("  0.5\u00a0", Fraction(1, 2)),
    ("1\u2009000", 1000),
    ("1\u00a0234.5", Fraction("1234.5")),
    ("0.5\u200b", Fraction(1, 2)),
    ("0,67", Fraction(67, 100)),
    ("0,670", Fraction(67, 100)),
    (",5", Fraction(1, 2)),
    ("1,5", Fraction(3, 2)),
    ("12,3456", Fraction("12.3456")),
    ("-0,5", Fraction(-1, 2)),
    ("1,234.5", Fraction("1234.5")),
    ("1.234,5", Fraction("1234.5")),
    ("1,234,567", 1234567),
    ("1,5/3", Fraction(1, 2)),
    ("0。5", Fraction(1, 2)),
    ("-0", 0),
    ("np.float64(0.5)", Fraction(1, 2)),
    ("float('0.5')", Fraction(1, 2)),
    ("Decimal('0.50')", Fraction(1, 2)),
    ("Fraction(1, 3)", Fraction(1, 3)),
    ("tensor(0.5)", Fraction(1, 2)),
    (r"\frac{1}{\sqrt{4}}", Fraction(1, 2)),
    (r"$-\dfrac{1}{2}$", Fraction(-1, 2)),
    ("`0.5`", Fraction(1, 2)),
    ("'0.5'", Fraction(1, 2)),
    ("_0.5_", Fraction(1, 2)),
    ("--2", 2),
    ("403.2079999999", Fraction("403.2079999999")),
]


@pytest.mark.parametrize(("text", "value"), READ)
def test_exact_forms(text, value):
    """A rational number is read exactly, whatever the keyboard."""
    read = read_number(text).cell.value

    assert isinstance(read, Fraction)
    assert read == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("e^2", math.exp(2)),
        ("exp(2)", math.exp(2)),
        ("np.exp(2)", math.exp(2)),
        ("e⁻¹", math.exp(-1)),
        ("e^-1/2", math.exp(-1) / 2),
        ("e^(1/2)", math.exp(0.5)),
        ("e", math.e),
        ("2e^3", 2 * math.exp(3)),
        ("e^14/(e^14+e^12)", 1 / (1 + math.exp(-2))),
        ("1/sqrt(2)", 1 / math.sqrt(2)),
        ("1/√2", 1 / math.sqrt(2)),
        ("√2/2", math.sqrt(2) / 2),
        ("2^0.3", 2**0.3),
        ("π", math.pi),
        ("1/(1+exp(-2))", 1 / (1 + math.exp(-2))),
        ("e^0,5", math.exp(0.5)),
    ],
)
def test_irrational_forms(text, value):
    """Exponentials and roots are read to the precision of a float."""
    assert read_number(text).cell.value == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nan", "unreadable-nan"),
        ("float('nan')", "unreadable-nan"),
        ("inf-inf", "unreadable-nan"),
        ("0*inf", "unreadable-nan"),
        ("inf", "unreadable-infinite"),
        ("-∞", "unreadable-infinite"),
        ("50%", "unreadable-percent"),
        ("５０％", "unreadable-percent"),
        ("(50%)", "unreadable-percent"),
        ("1,000", "unreadable-ambiguous-comma"),
        ("16,000", "unreadable-ambiguous-comma"),
        ("-1,000", "unreadable-ambiguous-comma"),
        ("1,2,3", "unreadable-commas"),
        ("1.2.3", "unreadable-two-points"),
        ("1 2", "unreadable-two-numbers"),
        ("1 000", "unreadable-two-numbers"),
        ("(1+2", "unreadable-unbalanced"),
        ("1+2)", "unreadable-unbalanced"),
        ("1+", "unreadable-incomplete"),
        ("*2", "unreadable-incomplete"),
        ("-", "unreadable-incomplete"),
        ("()", "unreadable-incomplete"),
        ("sqrt", "unreadable-incomplete"),
        ("abc", "unreadable-name"),
        ("__import__('os')", "unreadable-name"),
        ("x+1", "unreadable-name"),
        ("1 & 2", "unreadable-character"),
        ("1/0", "unreadable-division-by-zero"),
        ("0^-1", "unreadable-division-by-zero"),
        ("1/(2-2)", "unreadable-division-by-zero"),
        ("sqrt(-1)", "unreadable-negative-root"),
        ("(-8)^(1/3)", "unreadable-negative-root"),
        ("1/2√3", "unreadable-ambiguous-product"),
        ("9^9^9", "unreadable-too-large"),
        ("9^9^9^9^9", "unreadable-too-large"),
        ("1e999999999999", "unreadable-too-large"),
        ("1e-999999", "unreadable-too-large"),
        ("10^400", "unreadable-too-large"),
        ("e^1000", "unreadable-too-large"),
        ("(2^4000)^0.3*e^700*e^700", "unreadable-too-large"),
        ("e^700*e^700", "unreadable-too-large"),
        ("9" * 10_000, "unreadable-too-long"),
        ("(" * 100 + "1" + ")" * 100, "unreadable-nested"),
        ("-" * 200 + "1", "unreadable-nested"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_reasons(text, code):
    """What is no number here has a reason."""
    with no_hang(), pytest.raises(Unreadable) as caught:
        read_number(text)

    assert caught.value.code == code


@pytest.mark.parametrize("text", ["-inf", "−∞", "-Infinity", "float('-inf')", "-np.inf", "-math.inf", r"-\infty"])
def test_infinity_where_it_can_be(text):
    """Minus infinity is a value of a masked score, however it is typed."""
    assert read_number(text, infinite=True).cell.value == -math.inf


def test_nan_is_never_a_number():
    """NaN is refused even where infinity is allowed."""
    with pytest.raises(Unreadable) as caught:
        read_number("nan", infinite=True)

    assert caught.value.code == "unreadable-nan"


@pytest.mark.parametrize("text", ["_", "", "  ", "?", "__"])
def test_nothing_typed(text):
    """An underscore or nothing is an empty cell."""
    assert read_number(text).cell.value is None


@pytest.mark.parametrize(
    ("text", "decimals"),
    [
        ("0.670", 3),
        ("1.0000", 4),
        ("1.0001", 4),
        ("80", 0),
        ("1.", 0),
        ("-0,50", 2),
        ("1.60*10^-4", 6),
        ("1.6e-4", 5),
        ("1.5e3", 0),
        ("2/3", None),
        ("sqrt(2)", None),
        ("(0.5)", 1),
    ],
)
def test_digits_typed(text, decimals):
    """The digits typed after the point are kept, trailing zeros too; a formula has none."""
    assert read_number(text).cell.decimals == decimals


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0,67", "notice-decimal-comma"),
        ("1,234.5", "notice-thousands"),
        ("1.234,5", "notice-decimal-comma"),
    ],
)
def test_comma_is_said(text, code):
    """A comma is never read silently."""
    (notice,) = read_number(text).notices

    assert notice.code == code
    assert notice.numbers["text"] == text


def test_raw_text_is_kept():
    """A cell keeps its own text as typed."""
    assert read_number(" 1½ ").cell.raw == "1½"


@pytest.mark.parametrize(
    ("text", "echoed"),
    [
        ("0,670", "0.670"),
        (".823", "0.823"),
        ("2/3", "0.6667"),
        ("1/2", "0.5"),
        ("4/2", "2"),
        ("-0.00", "0.00"),
        ("−7", "-7"),
        ("_", "_"),
        ("e^2", "7.3891"),
        ("1e20*1.5", "150000000000000000000"),
    ],
)
def test_echo(text, echoed):
    """A number is echoed with the digits typed, or four where it was worked out."""
    assert echo(read_number(text).cell, 4) == echoed


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(Fraction(1, 8), 2, "0.12"), (-0.0001, 2, "0.00"), (-math.inf, 2, "-inf"), (1e300, 2, "1e+300"), (-1.5, 0, "-2")],
)
def test_fixed(value, digits, text):
    """A value is written with exactly the digits asked for, and zero has no sign."""
    assert fixed(value, digits) == text


@pytest.mark.parametrize(
    ("value", "text"), [(2.0, "2"), (0.1 + 0.2, "0.3"), (-math.inf, "-inf"), (Fraction(1, 2), "0.5")]
)
def test_plain(value, text):
    """A given number is written as short as it can be."""
    assert plain(value) == text


STYLES = [
    str,
    lambda text: text.replace("-", "\u2212"),
    lambda text: text.translate({ord(c): ord(c) + 0xFEE0 for c in "0123456789.-"}),
    lambda text: text.replace("0.", ".") if text.lstrip("-").startswith("0.") else text,
    lambda text: f"({text})",
    lambda text: f" {text}\u00a0",
    lambda text: f"{text}e0",
    lambda text: f"{text}*10^0",
    lambda text: f"np.float64({text})",
    lambda text: f"+{text}" if not text.startswith("-") else text,
]


@given(st.integers(-(10**6), 10**6), st.integers(0, 6), st.sampled_from(STYLES))
def test_round_trip(units, digits, style):
    """A number formatted in any style reads back as itself."""
    value = Fraction(units, 10**digits)
    cell = read_number(style(fixed(value, digits))).cell

    assert cell.value == value
    assert cell.decimals == digits


ALPHABET = "0123456789.,+-−*/^()[]{}eE√%_ '\"\\½²⁵×∞anisqrtxp\u00a0\u2009;|&\n\t"


@given(st.text(ALPHABET, max_size=60) | st.text(max_size=60))
def test_any_text_is_read_or_has_a_reason(text):
    """No text whatever raises anything but a reason."""
    with suppress(Unreadable):
        value = read_number(text).cell.value

        assert value is None or math.isfinite(value)


@pytest.mark.parametrize("text", ["TRUE", "True", "T", "yes", "对", "np.False_", "F", "no"])
def test_a_truth_is_no_number(text):
    """However it is typed: it is asked back, and never taken for 1 or 0."""
    with pytest.raises(Unreadable) as caught:
        read_number(text)

    assert caught.value.code == "unreadable-truth-for-number"
    assert caught.value.numbers["text"] == text


@pytest.mark.parametrize("text", ["2**", "-1/2√3", "2 ×", "2 ÷ √"])
def test_what_cannot_be_read_is_told_as_it_was_typed(text):
    """No `^` for `**`, no `sqrt` for `√`."""
    with pytest.raises(Unreadable) as caught:
        read_number(text)

    assert caught.value.numbers["text"] == text


def test_a_number_of_hundreds_of_digits_is_echoed_as_it_was_typed():
    """`1e-400` is no line of zeros."""
    assert echo(read_number("1e-400").cell, 4) == "1e-400"
    assert echo(read_number("1e-4").cell, 4) == "0.0001"
