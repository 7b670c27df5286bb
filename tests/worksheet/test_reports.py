"""What quiz systems have been reported to read wrongly, each with its right value here."""

import math
from fractions import Fraction

import pytest

from grader.model import Blank, RawAnswer, Text
from grader.worksheet.answers import read

HALF = Fraction(1, 2)


def answer(text, shape=(), step="weights", decimals=4):
    """What is read for a text."""
    return read(Blank("b", "numbers", step, (), shape, decimals, Fraction(1), Text("", "")), RawAnswer("b", text, 1))


READ = {
    "PrairieLearn 135: minus of a calculator": ("\u22122", (), [-2]),
    "PrairieLearn 8627: full-width minus": ("\uff0d2", (), [-2]),
    "PrairieLearn 8627: small minus": ("\ufe632", (), [-2]),
    "STACK 860: full-width brackets": ("（1＋2）/3", (), [1]),
    "STACK 943: dash of another program": ("\u20132", (), [-2]),
    "pg 517: signs of the page itself": ("−π/π", (), [-1]),
    "Numbas 553: more digits than asked": ("0.66976154", (), [Fraction("0.66976154")]),
    "Numbas 182: a value a hair off": ("403.2079999999", (), [Fraction("403.2079999999")]),
    "Numbas 705: large significand": ("6.022e23", (), [Fraction(6022) * 10**20]),
    "edX 2050: power of ten as a product": ("1.6*10^-19", (), [Fraction("1.6e-19")]),
    "edX 30010: e notation": ("1.6e-19", (), [Fraction("1.6e-19")]),
    "R/exams: scientific notation": ("1E+05", (), [100000]),
    "text2qti 51: below 1e-4": ("0.00005", (), [Fraction(5, 100000)]),
    "PrairieLearn 2235: fractions in cells": ("[1/2, 3/4/2]", (2,), [HALF, Fraction(3, 8)]),
    "Formulas 148: decimal comma": ("0,5", (), [HALF]),
    "STACK 789: decimal commas in a list": ("[0,5; 0,25]", (2,), [HALF, Fraction(1, 4)]),
    "webexercises 18: decimal commas and list commas": ("[0,5, 0,25]", (2,), [HALF, Fraction(1, 4)]),
    "Numbas 611: no leading zero": (".823", (), [Fraction(823, 1000)]),
    "Submitty 10702: the sign counts": ("−5.5", (), [Fraction(-11, 2)]),
    "Artemis 2082: blanks around": ("  5 \t", (), [5]),
    "IMathAS 409: blanks inside": ("- 1 / 2", (), [-HALF]),
    "pmatch 21: no-break spaces": ("[1,\u00a02]", (2,), [1, 2]),
    "PrairieLearn 2406: MATLAB with commas": ("[1, 2; 3, 4]", (2, 2), [1, 2, 3, 4]),
    "STACK 457: half filled": ("[[1, _], [_, 4]]", (2, 2), [1, None, None, 4]),
    "Numbas 774: as many digits as given": ("0.3333333333333333", (), [Fraction("0.3333333333333333")]),
    "sdc 1317: one number in brackets": ("[0.5]", (), [HALF]),
}


@pytest.mark.parametrize(("text", "shape", "values"), READ.values(), ids=READ)
def test_read_rightly(text, shape, values):
    """What was refused or misread elsewhere is read here."""
    assert [cell.value for cell in answer(text, shape).cells] == values


REFUSED = {
    "PrairieLearn 923: inf typed": ("inf", (), "unreadable-infinite"),
    "PrairieLearn 923: nan typed": ("nan", (), "unreadable-nan"),
    "PrairieLearn 7211: evaluates to inf": ("1/0", (), "unreadable-division-by-zero"),
    "PrairieLearn 7211: evaluates to nan": ("inf-inf", (), "unreadable-nan"),
    "mitx 85: nan in one cell": ("[0.5, nan]", (2,), "unreadable-nan"),
    "perseus 2574: 16,000 is not 16": ("16,000", (), "unreadable-ambiguous-comma"),
}


@pytest.mark.parametrize(("text", "shape", "code"), REFUSED.values(), ids=REFUSED)
def test_asked_back(text, shape, code):
    """What crashed or was guessed elsewhere is asked back here."""
    assert answer(text, shape).reason.code == code


@pytest.mark.parametrize(("text", "digits"), [("1.0000", 4), ("1.0001", 4), ("80", 0), ("0.6700", 4), ("300", 0)])
def test_digits_typed_are_kept(text, digits):
    """PrairieLearn 13151, STACK 351, 346: digits typed are counted as typed, trailing zeros too."""
    assert answer(text).cells[0].decimals == digits


def test_infinity_where_it_belongs():
    """PrairieLearn 2406: np.inf is read where a masked score may be infinite."""
    assert [cell.value for cell in answer("[0, -np.inf]", (2,), "masked").cells] == [0, -math.inf]


def test_empty_list_is_blank():
    """PrairieLearn 2406: an empty list is no answer yet."""
    assert answer("[]", (2,)).state == "blank"


def test_what_is_shown_is_read():
    """WeBWorK 1070: the echo of an answer reads back as the same numbers."""
    first = answer("[2.5, −0.25; 3, ½]", (2, 2))

    assert [cell.value for cell in answer(first.read_as, (2, 2)).cells] == [cell.value for cell in first.cells]
