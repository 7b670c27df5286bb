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


def test_the_case_in_which_a_function_fails_is_not_shown(grade, tmp_path):
    """Its mistake is named; in a problem of one's own the numbers stand below it."""
    (tmp_path / "set.yaml").write_text("title: {en: A, zh: 甲}\nproblems: [scores]\n", encoding="utf-8")
    (tmp_path / "roster.csv").write_text("id\n007\n", encoding="utf-8")
    assert grade("make", "set.yaml", "--roster", "roster.csv", "--out", "class").code == 0
    assert grade("make", "set.yaml", "--out", "own").code == 0
    pages = {}
    for folder in ("class/007", "own"):
        file = next((tmp_path / folder).glob("*_scores.py"))
        head = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
        code = "def scores(Q, K):\n    return Q @ K.T / Q.shape[-1] ** 0.5\n"
        file.write_text("\n".join([*head, "", code]), encoding="utf-8")
        pages[folder] = grade(file)

    assert [page.code for page in pages.values()] == [1, 1]
    assert all("scores_already_scaled" in page.out for page in pages.values())
    assert ["expected" in page.out for page in pages.values()] == [False, True]
    assert ["is not shown in a problem of a course" in page.out for page in pages.values()] == [True, False]


def test_hints_end_before_the_solution(grade, sheet):
    """However often one asks, the worked solution does not come."""
    shown = [grade("hint", sheet).out for _ in range(5)]

    assert shown[-1] == shown[-2]
    assert "What belongs in the blanks" not in shown[-1]
