"""What a course gave out keeps its answers from those it was given to."""

import pytest

from grader import cli
from grader.bank import seeds
from grader.model import Seed


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


@pytest.mark.parametrize("change", [lambda word: word.rpartition(".")[0], lambda word: f"`{word}`"])
def test_a_line_without_the_signature_is_the_courses_all_the_same(grade, sheet, change):
    """The numbers hang on the seed, and the seed tells whose they are; with quotes around it as well."""
    text = sheet.read_text(encoding="utf-8")
    word = next(line.partition(": ")[2] for line in text.splitlines() if line.startswith("variant:"))
    sheet.write_text(text.replace(word, change(word)), encoding="utf-8")

    assert grade(sheet, "--reveal").code == 2
    assert grade("fresh", sheet).code == 2
    assert "What belongs in the blanks" not in [grade("hint", sheet).out for _ in range(5)][-1]


def test_no_seed_of_self_study_is_taken_for_a_courses():
    """The largest is shorter; a course's may consist of digits alone."""
    own = [seeds.self_study(number) for number in (0, 7, cli.MOST_SEED)]

    assert cli.MOST_SEED == seeds.MOST
    assert not any(map(seeds.is_derived, [*own, seeds.DEFAULT]))
    assert seeds.is_derived(seeds.derived(b"secret", "007", "scores", "00000000", 1))
    assert seeds.is_derived(Seed("1234567890123456"))


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
