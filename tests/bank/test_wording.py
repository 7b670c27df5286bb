"""Words are held against what they are about."""

import pytest

from grader.bank import wording


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("scores of query 1, 4 decimals", {4}),
        ("one decimal", {1}),
        ("no decimals", {0}),
        ("保留 4 位小数", {4}),
        ("保留两位小数", {2}),
        ("不写小数", {0}),
        ("3-decimal numbers", {3}),
        ("softmax of row 2 of 3", set()),
        ("round all decimals", set()),
        ("写成小数", set()),
    ],
)
def test_how_many_decimals_a_note_says(text, counts):
    """In digits or in words, in both languages; numbers of something else do not count."""
    assert wording.decimals_said(text) == counts


def test_the_skills_of_the_bank_are_known():
    """A template of one's own may have another skill; these are what it is held against."""
    assert {"one_head", "masks", "softmax"} <= wording.skills()
