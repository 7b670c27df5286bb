"""Studying alone, as people do it: from inside the folder, from the clone's top, by number, id or path."""

import pytest


@pytest.fixture
def top(grade, tmp_path):
    """A folder that holds `exercises/`, as the clone's top does."""
    assert grade("start", "exercises", "--set", "first_hour").code == 0
    return tmp_path


@pytest.mark.parametrize(
    ("inside", "name"),
    [
        (False, "4"),
        (False, "04"),
        (False, "two_scores"),
        (False, "04_two_scores"),
        (False, "04_two_scores.md"),
        (False, "exercises/04_two_scores.md"),
        (True, "4"),
        (True, "two_scores"),
        (True, "04_two_scores.md"),
        (True, "./04_two_scores.md"),
        (True, "../exercises/04_two_scores.md"),
    ],
)
def test_a_file_is_found_however_it_is_called(grade, top, inside, name):
    """The state is kept beside the file, wherever one stands."""
    run = grade("hint", name, cwd=top / "exercises" if inside else top)

    assert run.code == 0, run.err
    assert "Hint 1 of" in run.out
    assert (top / "exercises" / ".grade" / "state.json").is_file()


@pytest.mark.parametrize("command", ["hint", "fresh", "reset"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_not_there_says_what_is(grade, top, command, lang):
    """The range of numbers, or the nearest name; nothing is changed."""
    before = {path: path.read_bytes() for path in (top / "exercises").iterdir()}

    number = grade(command, "99", "--lang", lang, cwd=top)
    name = grade(command, "two_score", "--lang", lang, cwd=top)

    assert number.code == name.code == 2
    assert "99" in number.err
    assert "8" in number.err
    assert "two_scores" in name.err
    assert {path: path.read_bytes() for path in (top / "exercises").iterdir()} == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace("```answers", "```").encode(),
        lambda text: text.replace("---", "", 1).encode(),
        lambda text: text.encode() + b"\x00\xff",
        lambda text: text.replace("weights:", "wieghts:").encode("utf-16"),
        lambda text: b"",
    ],
)
def test_a_spoilt_file_can_be_written_anew(grade, top, spoil):
    """Starting over as long as its variant stands in it, else new numbers; what was there is kept."""
    file = top / "exercises" / "04_two_scores.md"
    spoilt = spoil(file.read_text(encoding="utf-8"))
    file.write_bytes(spoilt)

    assert grade("exercises", "--json").code == 2
    if grade("reset", "4").code != 0:
        assert grade("fresh", "4").code == 0
    kept = list((top / "exercises" / ".grade" / "kept").iterdir())

    assert grade("check", "exercises", "--only", "4").code == 1
    assert [copy.read_bytes() for copy in kept] == [spoilt]


def test_without_exercises_it_is_said(grade, tmp_path):
    """There is no file that a number could mean."""
    run = grade("hint", "3")

    assert run.code == 2
    assert "no exercises" in run.err


def test_fresh_numbers_of_a_course_are_refused(grade, tmp_path):
    """They were given out; starting over is fine."""
    (tmp_path / "roster.csv").write_text("id\n1\n", encoding="utf-8")
    assert grade("make", "first_hour", "--roster", "roster.csv", "--out", "class").code == 0

    fresh = grade("fresh", "6", cwd=tmp_path / "class" / "1")
    reset = grade("reset", "6", cwd=tmp_path / "class" / "1")

    assert (fresh.code, reset.code) == (2, 0)
    assert "course" in fresh.err


def test_starting_over_what_is_blank_says_that_there_is_nothing_to_do(grade, top):
    """In the file's language; the exit code is that of a command that did its work."""
    run = grade("reset", "4")
    zh = grade("reset", "4", "--lang", "zh")

    assert (run.code, zh.code) == (0, 0)
    assert "nothing to reset" in run.out
    assert "无需重置" in zh.out


def test_the_next_command_is_one_that_runs(grade, top):
    """In a clone it is the script, with the path from where one stands."""
    file = "exercises/01_row_times_matrix.md"

    assert f"Next: ./scripts/grade {file}" in grade("exercises", GRADE_COMMAND="./scripts/grade").out
    assert f"Next: ./scripts/grade {file}" in grade(GRADE_COMMAND="./scripts/grade").out


def test_only_names_a_file_by_number_even_if_it_is_broken(grade, top):
    """A fault is not hidden by the choice."""
    (top / "exercises" / "04_two_scores.md").write_bytes(b"\x00")

    run = grade("check", "exercises", "--only", "4")

    assert run.code == 2
    assert "04_two_scores.md" in run.out


@pytest.mark.parametrize(
    ("inside", "number"),
    [
        (False, "4"),
        (False, "04"),
        (True, "4"),
        (True, "two_scores"),
        (False, "two_scores"),
        (False, "04_two_scores.md"),
    ],
)
def test_a_number_is_marked_like_the_file_it_stands_for(grade, top, inside, number):
    """A name or an id too, as with hints: from inside the folder and from above it; options may stand before."""
    cwd = top / "exercises" if inside else top
    path = "04_two_scores.md" if inside else "exercises/04_two_scores.md"
    (problem,) = grade(number, "--json", cwd=cwd).json["problems"]

    assert (problem["problem"], problem["file"]) == ("two_scores", path)
    assert grade(number, cwd=cwd).out == grade(path, cwd=cwd).out
    assert grade("check", number, "--plain", cwd=cwd).out == grade("--plain", path, cwd=cwd).out


def test_a_number_that_stands_for_nothing_says_which_do(grade, top):
    """With the range; a file that is really called so goes before, and without exercises it is only a name."""
    out_of_range = grade("99")
    assert out_of_range.code == 2
    assert "99" in out_of_range.err
    assert "8" in out_of_range.err

    (top / "4").mkdir()
    assert "4" in grade("4").err
    assert grade("4").code == 2
    assert "no file or folder" in grade("4", cwd=top / "4").err


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_hint_that_cannot_be_noted_is_given_all_the_same(grade, top, lang):
    """It is said, where it does not disturb, that the same one comes again."""
    (top / "exercises" / ".grade").write_text("no folder", encoding="utf-8")
    run = grade("hint", "4", "--lang", lang)
    noted = {"en": "not noted", "zh": "没有记下"}[lang]

    assert run.code == 0
    assert run.out == grade("hint", "4", "--lang", lang).out
    assert {"en": "Hint 1 of", "zh": "提示 1"}[lang] in run.out
    assert noted in " ".join(run.err.split())
