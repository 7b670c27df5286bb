"""What a course gave out keeps its answers from those it was given to."""

import pytest


@pytest.fixture
def sheet(grade, tmp_path):
    """One worksheet of one student of a class."""
    (tmp_path / "roster.csv").write_text("id,name\n007,王小明\n", encoding="utf-8")
    assert grade("make", "first_hour", "--roster", "roster.csv", "--out", "class").code == 0
    return next((tmp_path / "class" / "007").glob("02_*.md"))


def test_reveal_is_refused_and_marking_is_not(grade, sheet):
    """The expected numbers are not shown, with a sentence and exit 2; the sheet is still marked."""
    refused = grade(sheet, "--reveal")

    assert refused.code == 2
    assert "course" in refused.err
    assert grade(sheet).code == 1


def test_hints_end_before_the_solution(grade, sheet):
    """However often one asks, the worked solution does not come."""
    shown = [grade("hint", sheet).out for _ in range(5)]

    assert shown[-1] == shown[-2]
    assert "What belongs in the blanks" not in shown[-1]
