"""Text from a submission made safe to show."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.show.escape import UNSAFE, escape, escape_lines


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain, 中文, é", "plain, 中文, é"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\u200b\ufeff", "\\u200b\\ufeff"),
        ("\ud800", "\\ud800"),
        ("e\u0301", "e\u0301"),
        ("e\u0301\u0301\u0301", "e\u0301\u0301\\u0301"),
        ("C:\\new", "C:\\new"),
    ],
)
def test_unsafe_characters_are_spelled_out(raw, shown):
    """Controls, bidi marks, invisible characters and piles of accents are written as Python would."""
    assert shown == escape(raw)


def test_long_text_is_cut():
    """A message of a million characters shows its beginning only."""
    assert escape("x" * 1_000_000, 10) == "x" * 9 + "…"


def test_lines_are_counted():
    """The first lines are kept, and how many are left out is told."""
    assert escape_lines("a\r\n\tb\x07\nc\nd\n", 2) == (["a", "    b\\x07"], 2)


@given(st.text(st.characters()))
def test_nothing_unsafe_is_left(text):
    """Whatever a submission says, no character of an unsafe category comes through."""
    shown = escape(text)

    assert not {unicodedata.category(char) for char in shown} & UNSAFE
    assert len(escape_lines(text, 3)[0]) <= 3
