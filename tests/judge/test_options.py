"""Judging letters and truths."""

from fractions import Fraction

import pytest

from grader.judge.options import judge
from grader.model import Answer, Blank, Choice, Text

NOTHING = Text("", "")


def blank(kind, right="", mistake=None, truth=None):
    """A blank worth three points with the options A to E, the `right` letters among them."""
    choices = tuple(
        Choice(letter, f"key_{letter}", NOTHING, letter in right, mistake if letter == "B" else None)
        for letter in "ABCDE"
    )
    return Blank("pick", kind, None, (), (), 0, Fraction(3), NOTHING, choices if kind != "truth" else (), truth)


def letters(text):
    """An answer of letters."""
    return Answer("pick", 1, text, "read", letters=tuple(text), read_as=text)


def test_the_right_letter_earns_all_points():
    """One letter, the right one."""
    report = judge(blank("choice", "C"), letters("C"))

    assert (report.status, report.points) == ("right", 3)
    assert report.findings == ()


def test_a_wrong_letter_earns_none_and_says_which_it_was():
    """The finding names the option, so that its feedback is found."""
    report = judge(blank("choice", "C"), letters("A"))

    assert (report.status, report.points) == ("wrong", 0)
    assert [(found.code, found.numbers["key"]) for found in report.findings] == [("wrong-option", "key_A")]


def test_an_option_that_is_a_mistake_names_it():
    """Its number was computed that way."""
    (found,) = judge(blank("choice", "C", mistake="softmax_axis0"), letters("B")).findings

    assert (found.code, found.mistakes) == ("softmax_axis0", ("softmax_axis0",))


@pytest.mark.parametrize(
    ("right", "picked", "share"),
    [
        ("ABC", "ABC", 1),
        ("ABC", "AB", "2/3"),
        ("ABC", "ABD", "1/3"),
        ("ABC", "DE", 0),
        ("ABC", "ABCDE", "1/3"),
        ("AB", "AC", 0),
    ],
)
def test_several_letters_earn_the_right_ones_less_the_wrong_ones(right, picked, share):
    """As a share of all right ones, never below zero."""
    report = judge(blank("choices", right), letters(picked))

    assert report.points == 3 * Fraction(share)
    assert (report.status == "right") == (share == 1)


def test_none_is_right_where_none_of_several_is():
    """An empty choice is an answer."""
    assert judge(blank("choices", ""), letters("")).status == "right"
    assert judge(blank("choices", ""), letters("A")).points == 0


def test_missing_letters_are_counted_but_not_named():
    """What is still missing is said as a number."""
    report = judge(blank("choices", "ABC"), letters("A"))

    assert [(found.code, found.numbers["count"]) for found in report.findings] == [("options-missing", 2)]


@pytest.mark.parametrize("truth", [True, False])
def test_a_statement_is_true_or_false(truth):
    """The other way round is wrong, and its feedback is found under `truth`."""
    right = judge(blank("truth", truth=truth), Answer("pick", 1, "", "read", truth=truth))
    wrong = judge(blank("truth", truth=truth), Answer("pick", 1, "", "read", truth=not truth))

    assert (right.status, right.points) == ("right", 3)
    assert (wrong.status, wrong.points, wrong.findings[0].numbers["key"]) == ("wrong", 0, "truth")
