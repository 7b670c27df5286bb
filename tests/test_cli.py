"""The command line, as people use it."""

from pathlib import Path

import pytest

from grader import __version__
from grader.show.terminal import layout
from tests.filled import RIGHT, fill_right


@pytest.fixture
def exercises(grade, tmp_path):
    """The self-study set with default conventions for its functions, in a new folder."""
    folder = tmp_path / "mine"
    assert grade("start", folder).code == 0
    return folder


def test_a_blank_set_is_all_blank_and_exits_1(grade, exercises):
    """Nothing is wrong yet, nothing is right yet."""
    run = grade(exercises, "--json")

    assert run.code == 1
    assert {problem["status"] for problem in run.json["problems"]} == {"blank"}
    assert run.json["points"] == 0
    assert run.json["schema"] == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_filled_set_gets_full_marks_and_exits_0(grade, tmp_path, lang):
    """The right answers, typed and written, in either language."""
    folder = tmp_path / "mine"
    grade("start", folder, "--lang", lang)
    fill_right(folder)

    run = grade(folder, "--json")
    shown = grade(folder)

    assert [problem for problem in run.json["problems"] if problem["status"] != "right"] == []
    assert run.code == shown.code == 0
    assert run.json["points"] == run.json["max_points"] > 0
    assert ("得分" in shown.out) == (lang == "zh")


def test_one_file_is_shown_in_full(grade, exercises):
    """Softmax over columns in the two-token lesson: the step named, the rest carried, exit 1."""
    file = next(exercises.glob("*_causal_attention.md"))
    text = file.read_text(encoding="utf-8")
    head, _, _ = text.partition("```answers")
    typed = (
        "scaled: [[0, 0.7071], [0.7071, 0]]\nweights: [[0.3302, 0], [0.6698, 1]]\noutput: [[3.3024, 0], [6.6976, 20]]"
    )
    file.write_text(f"{head}```answers\n{typed}\n```\n", encoding="utf-8")

    run, told = grade(file), grade(file, "--json")

    assert run.code == 1
    steps = {step["step"]: step for step in told.json["problems"][0]["steps"]}
    assert [steps[name]["status"] for name in ("scaled", "weights", "output")] == ["right", "wrong", "carried"]
    assert steps["weights"]["findings"][0]["mistakes"] == ["softmax_axis0"]
    assert "grade explain softmax_axis0" in run.out
    assert all(len(line) <= 80 for line in run.out.splitlines())


def test_any_python_file_is_marked_against_an_exercise(grade, tmp_path):
    """Whatever its name and whatever else it holds; a missing function says which is nearest."""
    file = tmp_path / "whatever.py"
    file.write_text(RIGHT.read_text(encoding="utf-8"), encoding="utf-8")
    lacking = tmp_path / "lacking.py"
    lacking.write_text("def atention(Q, K, V, mask=None):\n    return Q, K\n", encoding="utf-8")

    good = grade("check", file, "--exercise", "attention", "--json")
    bad = grade("check", lacking, "--exercise", "attention", "--json")

    assert (good.code, good.json["problems"][0]["status"]) == (0, "right")
    assert bad.code == 1
    assert bad.json["problems"][0]["status"] == "crashed"
    assert bad.json["problems"][0]["reason"] == "missing-function"
    assert "atention" in bad.out


def test_an_unknown_exercise_says_the_nearest_and_exits_2(grade, tmp_path):
    """`atention` is near `attention`."""
    file = tmp_path / "a.py"
    file.write_text("x = 1\n", encoding="utf-8")

    run = grade("check", file, "--exercise", "atention")

    assert run.code == 2
    assert "attention" in run.out + run.err


@pytest.mark.parametrize(
    "arguments", [["chek"], ["check", "nowhere/"], ["--nonsense"], ["make"], ["start", "x", "--seed", "1" + "0" * 80]]
)
def test_bad_usage_exits_2(grade, arguments):
    """A wrong command, a path that is not there, a wrong option, a missing argument, a seed that no word can hold."""
    run = grade(*arguments)

    assert run.code == 2
    assert run.err.strip()
    assert "Traceback" not in run.err


def test_a_folder_without_exercises_exits_2(grade, tmp_path):
    """An empty folder is named."""
    (tmp_path / "empty").mkdir()

    run = grade(tmp_path / "empty")

    assert run.code == 2
    assert "empty" in run.out + run.err


def test_one_bad_file_never_stops_the_others(grade, exercises):
    """A binary file and a doubled block are named; the rest is marked; the highest exit code counts."""
    fill_right(exercises)
    first, second = sorted(exercises.glob("*.md"))[:2]
    first.write_bytes(b"\x00\x01" * 100)
    text = second.read_text(encoding="utf-8")
    second.write_text(text + "\n```answers\nx: 1\n```\n", encoding="utf-8")

    run = grade(exercises, "--json")

    assert run.code == 2
    unreadable = [problem["file"] for problem in run.json["problems"] if problem["status"] == "unreadable"]
    assert sorted(name.rsplit("/", 1)[-1] for name in unreadable) == [first.name, second.name]
    assert all(problem["status"] == "right" for problem in run.json["problems"] if problem["file"] not in unreadable)


def test_reports_stand_in_the_order_of_the_files(grade, exercises):
    """Functions between worksheets too, which are marked last."""
    names = [Path(problem["file"]).name for problem in grade(exercises, "--json").json["problems"]]

    assert names == sorted(names)
    assert [name for name in names if name.endswith(".py")] != names[-sum(name.endswith(".py") for name in names) :]


def test_only_marks_one_file_of_a_folder(grade, exercises):
    """By its number or its id."""
    by_number = grade("check", exercises, "--only", "8", "--json")
    by_id = grade("check", exercises, "--only", "dot_score", "--json")

    assert [problem["problem"] for problem in by_number.json["problems"]] == ["dot_score"]
    assert by_number.json == by_id.json
    assert grade("check", exercises, "--only", "nothing").code == 2


def test_hints_rise_and_are_remembered(grade, exercises):
    """Each call opens one more; the last is the worked solution; the state lives in `.grade/`."""
    first = grade("hint", "8", cwd=exercises)
    second = grade("hint", "8", cwd=exercises)
    for _ in range(3):
        last = grade("hint", "8", cwd=exercises)

    assert first.code == second.code == last.code == 0
    assert len(second.out) > len(first.out)
    assert "scores" in last.out
    assert (exercises / ".grade" / "state.json").is_file()


@pytest.mark.parametrize(("lang", "said"), [("en", "hold the same exercise"), ("zh", "是同一道练习")])
def test_copies_in_ones_own_folder_are_each_marked_and_that_is_said(grade, tmp_path, lang, said):
    """Another file of a problem carries nothing from the first: a copy of a wrong function is as wrong."""
    wrong = "# problem: softmax\n\nimport numpy as np\n\n\ndef softmax(x):\n    return x\n"
    for name in ("22_softmax.py", "copy of 22_softmax.py", "zz.py"):
        (tmp_path / "mine" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "mine" / name).write_text(wrong, encoding="utf-8")

    marked, shown = grade("mine", "--json"), grade("mine", "--lang", lang)

    assert [one["points"] for one in marked.json["problems"]] == [0, 0, 0]
    assert said in " ".join(shown.err.split("\n"))
    assert "zz.py" in shown.err


def test_fresh_draws_new_numbers_and_reset_blanks_both_keep_a_copy(grade, exercises):
    """The old file is in `.grade/kept`, the new one is blank with another variant or the same one."""
    file = exercises / "08_dot_score.md"
    filled = file.read_text(encoding="utf-8").replace("score: _", "score: 7")
    file.write_text(filled, encoding="utf-8")

    assert grade("reset", "8", cwd=exercises).code == 0
    blank = file.read_text(encoding="utf-8")
    assert grade("fresh", "8", cwd=exercises).code == 0
    other = file.read_text(encoding="utf-8")

    kept = sorted((exercises / ".grade" / "kept").iterdir())
    assert filled in [copy.read_text(encoding="utf-8") for copy in kept]
    assert blank == filled.replace("score: 7", "score: _")
    assert other != blank
    assert "variant: dot_score" in other


def test_reveal_shows_the_expected_numbers_and_the_worked_steps(grade, exercises):
    """Not before it is asked for."""
    file = next(exercises.glob("*_two_scores.md"))

    shown, revealed = grade(file), grade(file, "--reveal")

    assert "0.8808" not in shown.out
    assert "0.8808" in revealed.out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_explain_shows_a_page_and_knows_the_nearest(grade, lang):
    """By id, in either spelling; an unknown one says the nearest and exits 2."""
    page = grade("explain", "softmax_axis0", "--lang", lang)
    other = grade("explain", "softmax-axis0", "--lang", lang)
    wrong = grade("explain", "softmax_axes0", "--lang", lang)

    assert page.code == 0
    assert page.out == other.out
    assert wrong.code == 2
    assert "softmax_axis0" in wrong.err


def test_the_bank_is_listed_and_checked(grade):
    """Every problem in the list; one problem checked is sound."""
    listed = grade("bank", "list")
    checked = grade("bank", "check", "dot_score", "--seeds", "3")

    assert "causal_attention" in listed.out
    assert checked.code == 0, checked.out + checked.err


def test_help_and_version_are_instant_and_in_both_languages(grade):
    """Help in Chinese by option and by locale; NumPy is not loaded for it."""
    assert __version__ in grade("--version").out
    assert "批改" in grade("--lang", "zh", "--help").out
    assert "批改" in grade("--help", LC_ALL="zh_CN.UTF-8").out
    assert "Mark a file" in grade("--help").out


def test_bare_grade_says_where_you_are(grade, exercises, tmp_path):
    """In a folder of exercises the table, elsewhere how to begin."""
    assert "08_dot_score.md" in grade(cwd=exercises).out
    assert "grade start" in grade(cwd=tmp_path).out


def test_plain_and_no_color_carry_no_escape_codes(grade, exercises):
    """No colour codes; plain has words instead of signs."""
    plain = grade(exercises, "--plain")
    quiet = grade(exercises, NO_COLOR="1")

    assert "\x1b" not in plain.out + quiet.out
    assert "✓" not in plain.out
    assert "blank" in plain.out


def test_an_exercise_is_meant_by_its_number_too_and_the_files_own_head_is_not_mixed_in(grade, exercises, tmp_path):
    """Whatever the file's head says of another exercise: neither its variant nor its points are shown or counted."""
    head = "# problem: attention\n# variant: attention@default.1c17dc9b.0.0\n# points: 70\n\nimport numpy as np\n\n\n"
    softmax = "def softmax(x):\n    e = np.exp(x - x.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)\n"
    (tmp_path / "a.py").write_text(head + softmax, encoding="utf-8")
    exercises.rename(tmp_path / "exercises")
    number = next((tmp_path / "exercises").glob("*_softmax.py")).name.partition("_")[0]

    (by_number,) = grade("a.py", "--exercise", number, "--json").json["problems"]
    (by_name,) = grade("a.py", "--exercise", "softmax", "--json").json["problems"]

    assert by_number == by_name
    assert (by_name["problem"], by_name["status"], by_name["variant"]) == ("softmax", "right", None)
    assert by_name["max_points"] < 70
    assert grade("a.py", "--exercise", "99").code == 2


def test_a_file_whose_name_cannot_be_typed_is_not_proposed(grade, exercises):
    """A line break in a name would end the command."""
    file = next(exercises.glob("01_*"))
    file.rename(exercises / "01_new\nline.md")

    run = grade(exercises.name)

    assert "new\\nline" in run.out
    assert "Next: grade mine/02_" in run.out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hints_are_in_the_language_that_was_asked_for(grade, exercises, lang):
    """Not in the file's, where that is another: heading and hint speak the same."""
    run = grade("hint", next(exercises.glob("*_two_scores.md")), "--lang", lang)

    assert any("\u4e00" <= character <= "\u9fff" for character in run.out.partition("\n")[2]) == (lang == "zh")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_explain_shows_the_note_that_a_page_sends_to_and_a_sentence_without_holes(grade, lang):
    """The page ends with the command for its note; a sentence's places are left open, not shown as braces."""
    page = grade("explain", "scale_missing", "--lang", lang)
    note = grade("explain", "scaling", "--lang", lang)
    sentence = grade("explain", "wrong-shape", "--lang", lang)

    assert "explain scaling" in page.out
    assert note.code == 0
    assert note.out.startswith("# ")
    narrow = grade("explain", "softmax", "--lang", lang, COLUMNS="50").out.splitlines()
    laid = (" ", "|", "#", "To read")
    assert all(layout.measure(line) <= 50 for line in narrow if not line.startswith(laid))
    assert "{" not in sentence.out
