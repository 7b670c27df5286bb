"""Text that lines up: matrices, blanks, paragraphs in both languages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.worksheet.layout import empty, inline, shaded, show, width, wrapped


def block(*lines):
    """A fenced block of lines."""
    return "\n".join(["```text", *lines, "```"])


@pytest.mark.parametrize(
    ("label", "value", "lines"),
    [
        ("d_k", 4, ["d_k = 4"]),
        ("c", 0.5, ["c = 0.5"]),
        ("q", [1, -2], ["q = [  1  -2 ]"]),
        ("Q", [[1, 0.5], [-2, 0]], ["Q = [  1.0   0.5 ]", "    [ -2.0   0.0 ]"]),
        ("S", [[0.25, float("-inf")]], ["S = [ 0.25  -inf ]"]),
        ("M", [[True, False]], ["M = [ T  F ]"]),
        ("新", [[1], [2]], ["新 = [ 1 ]", "     [ 2 ]"]),
        ("H", [[[1, 2]], [[3, 4]]], ["H[0] = [ 1  2 ]", "", "H[1] = [ 3  4 ]"]),
    ],
)
def test_show(label, value, lines):
    """A value stands under its name with aligned columns and equal digits."""
    assert show(label, value) == block(*lines)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        ([1, 0.5], None, "[1, 0.5]"),
        ([[1, 0], [0, 1]], None, "[[1, 0], [0, 1]]"),
        ([0.25, 1 / 3], 3, "[0.250, 0.333]"),
        ([True, False], None, "[T, F]"),
        (np.float64(0.1), None, "0.1"),
        ([0.5, float("-inf")], 2, "[0.50, -inf]"),
    ],
)
def test_inline(value, digits, text):
    """A value on one line, with the digits asked for."""
    assert inline(value, digits) == text


def test_shaded():
    """A share stands beside a patch that is darker the larger it is, under labels of either language."""
    assert shaded([[0.7, 0.25], [0.01, 0.1]], ["the", "猫"], ["the", "猫"]) == block(
        "     the       猫",
        "the  0.70 ###  0.25 :::",
        "猫   0.01      0.10 ...",
    )


def test_shaded_by_index():
    """Without labels rows and columns are counted from 0."""
    assert shaded([[0.5, 0.5]]) == block("   0         1", "0  0.50 +++  0.50 +++")


@pytest.mark.parametrize(
    ("shape", "lines"),
    [
        ((), ["_"]),
        ((1,), ["[_]"]),
        ((3,), ["[_, _, _]"]),
        ((2, 2), ["[[_, _],", " [_, _]]"]),
        ((2, 2, 1), ["[[[_],", "  [_]],", " [[_],", "  [_]]]"]),
    ],
)
def test_empty(shape, lines):
    """A blank shows its shape."""
    assert empty(shape) == lines


def test_empty_shapes():
    """The blank of a shape is a tuple."""
    assert [empty((2,), "()"), empty((1,), "()")] == [["(_, _)"], ["(_,)"]]


def test_wrapped_keeps_what_fits():
    """Lines that fit stay as they are, short ones too."""
    text = "One line.\nAnother.\n\n* item\n  more"

    assert wrapped(text, 40) == text


def test_wrapped_sets_a_paragraph_anew():
    """A paragraph that is too wide is set anew, its neighbours left alone."""
    assert wrapped("Short.\n\none two three four\nfive", 12) == "Short.\n\none two\nthree four\nfive"


def test_wrapped_hangs_items():
    """What follows a list's mark hangs below its text."""
    assert wrapped("- one two three\n- x\n> four five six", 10) == "- one two\n  three\n- x\n> four\n> five six"


def test_wrapped_keeps_blocks_tables_and_code():
    """Fenced blocks and tables stay; code in a line is not torn."""
    text = "```text\nvery very long line\n```\n| a very long row |"

    assert wrapped(text, 10) == text
    assert wrapped("so `a b c d e` is", 8) == "so\n`a b c d e`\nis"


def test_wrapped_chinese():
    """Chinese is broken between characters, never before its punctuation."""
    assert wrapped("注意力权重，加起来等于一。", 10) == "注意力权\n重，加起来\n等于一。"


def test_joining_chinese_adds_no_space():
    """Chinese lines are joined without a space."""
    assert wrapped("注意\n力" + "权" * 6, 12) == "注意力权权权\n权权权"


@given(st.text("ab `注，。(（\n-*> ", max_size=120), st.integers(8, 40))
def test_wrapping_loses_nothing(text, columns):
    """Every character but spaces and quote marks is kept, in order."""
    assert "".join(wrapped(text, columns).replace(">", "").split()) == "".join(text.replace(">", "").split())


@given(st.lists(st.text("abcdefg", min_size=1, max_size=8), min_size=1, max_size=40), st.integers(10, 40))
def test_wrapped_fits(words, columns):
    """No line of plain words is wider than asked."""
    assert all(width(line) <= columns for line in wrapped(" ".join(words), columns).splitlines())
