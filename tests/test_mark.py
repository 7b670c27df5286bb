"""One file from its text to its report; whatever is wrong with it is a report too."""

from fractions import Fraction
from pathlib import Path

import pytest

from grader.bank import load, token
from grader.bank.draw import draw
from grader.bank.seeds import self_study
from grader.errors import BadInput, GradeError
from grader.mark import Marker, broken
from grader.model import RawAnswer, SubmittedFile
from grader.trace import solve
from tests.filled import RIGHT
from tests.typing_learner import text_of

HEAD = "---\nproblem: {problem}\nvariant: {variant}\nlang: en\n---\n"


@pytest.fixture(scope="module")
def variant():
    """A worksheet of one blank."""
    return draw(load.find("weighted_sum"), self_study(5))


@pytest.fixture
def marker():
    """A marker that is closed again."""
    with Marker() as marker:
        yield marker


def worksheet(problem, word, **answers):
    """A worksheet with these answers."""
    source = HEAD.format(problem=problem, variant=word)
    raws = tuple(RawAnswer(name, text, 10 + place) for place, (name, text) in enumerate(answers.items()))
    return SubmittedFile(Path("01_a.md"), "worksheet", problem, word, source, raws)


def function(problem=None, word=None, source=None):
    """A Python file."""
    return SubmittedFile(Path("a.py"), "function", problem, word, source or RIGHT.read_text(encoding="utf-8"))


def right(variant):
    """The right answers as they are typed."""
    trace = solve(variant)
    return {blank.name: text_of(blank, trace) for blank in variant.blanks}


def test_a_worksheet_is_marked_against_the_variant_of_its_token(marker, variant):
    """Right answers get all points, and the file and token stand in the report."""
    word = token.format(variant)
    report = marker.file(worksheet("weighted_sum", word, **right(variant)))

    assert (report.status, report.points, report.variant) == ("right", report.max_points, word)
    assert report.file == Path("01_a.md")


def test_a_caller_may_know_the_variant_better(marker, variant):
    """A class looks into its lock instead of the token."""
    file = worksheet("weighted_sum", "nonsense", **right(variant))

    assert marker.file(file, find=lambda _: variant).status == "right"


def test_answers_left_out_are_blank(marker, variant):
    """Nothing typed is no fault."""
    report = marker.file(worksheet("weighted_sum", token.format(variant)))

    assert (report.status, report.points) == ("blank", 0)


@pytest.mark.parametrize(
    ("problem", "change", "said"),
    [
        ("weighted_sum", lambda word: "nonsense", ("bad-token", 3)),
        ("weighted_sum", lambda word: word.replace(".5.", ".5.9.9."), ("bad-token", 3)),
        ("weighted_sum", lambda word: word.replace(word.split(".")[1], "00000000"), ("other-version", 3)),
        ("weighted_sum", lambda word: word.replace("weighted_sum", "weighted_sum@nowhere"), ("unknown-pin-none", 3)),
        ("dot_score", lambda word: word, ("other-variant", 3)),
        ("weigted_sum", lambda word: word, ("unknown-problem", 2)),
        ("softmax", lambda word: None, ("other-kind", None)),
        ("weighted_sum", lambda word: None, ("no-variant", None)),
        (None, lambda word: word, ("no-problem-named", None)),
    ],
)
def test_what_is_wrong_with_the_head_is_said_with_its_line(marker, variant, problem, change, said):
    """No points are lost: the file is not marked at all."""
    report = marker.file(worksheet(problem, change(token.format(variant)), **right(variant)))

    assert (report.status, report.points, report.max_points) == ("unreadable", 0, 0)
    assert (report.fault.code, report.fault.line) == said
    assert report.fault.file == Path("01_a.md")


def test_an_answer_of_an_unknown_name_is_said_with_its_line(marker, variant):
    """The line of the entry."""
    report = marker.file(worksheet("weighted_sum", token.format(variant), outptu="1"))

    assert (report.fault.code, report.fault.line, report.fault.numbers["near"]) == (
        "worksheet-unknown-name-near", 10, "output",
    )  # fmt: skip


def test_a_function_is_marked_by_its_default_contract(marker):
    """By name of the exercise, or by its head without a token."""
    assert marker.file(function(), exercise="softmax").status == "right"
    assert marker.file(function("softmax")).status == "right"


@pytest.mark.parametrize(
    ("file", "exercise", "code"),
    [
        (function(), None, "no-problem-named"),
        (function(), "weighted_sum", "other-kind"),
        (function("weighted_sum", source="x = 1"), None, "no-variant"),
        (function(), "sofmax", "unknown-problem"),
        (worksheet("dot_score", "x"), "weighted_sum", "other-problem"),
        (worksheet("dot_score", "x"), "softmax", "other-kind"),
    ],
)
def test_what_does_not_fit_the_exercise_is_said(marker, file, exercise, code):
    """Kinds and problems are not mixed."""
    assert marker.file(file, exercise=exercise).fault.code == code


def test_code_never_runs_from_a_worksheet_nor_answers_from_code(marker, variant):
    """A file of one kind that names a variant of the other."""
    file = function("weighted_sum", token.format(variant), "raise SystemExit")

    assert marker.file(file).fault.code == "other-kind"


def test_our_own_fault_is_a_report_and_costs_nothing(marker, variant, monkeypatch):
    """The files after it are marked."""

    def fail(*arguments):
        raise ZeroDivisionError

    file = worksheet("weighted_sum", token.format(variant), **right(variant))
    with monkeypatch.context() as patch:
        patch.setattr("grader.judge.worksheet.judge", fail)
        report = marker.file(file)

    assert isinstance(report.fault, ZeroDivisionError)
    assert (report.points, report.max_points) == (0, 0)
    assert marker.file(file).status == "right"


@pytest.mark.parametrize("fault", [KeyboardInterrupt, SystemExit])
def test_who_wants_to_stop_stops(marker, variant, monkeypatch, fault):
    """Ctrl-C is no fault of a file."""

    def stop(*arguments):
        raise fault

    monkeypatch.setattr("grader.judge.worksheet.judge", stop)
    with pytest.raises(fault):
        marker.file(worksheet("weighted_sum", token.format(variant)))


def test_the_server_is_started_for_code_only():
    """Worksheets need none; it is gone at the end."""
    with Marker() as marker:
        marker.prepare([worksheet("dot_score", "x")])
        assert marker._runner is None
        marker.prepare([worksheet("dot_score", "x"), function()])
        assert marker._runner is not None
    assert marker._runner is None


def test_a_broken_file_is_named_by_its_problem_or_its_file():
    """Nothing is lost."""
    fault = BadInput("file-binary", file=Path("x/02_b.md"))

    assert (broken(fault).problem, broken(fault).file) == ("02_b.md", Path("x/02_b.md"))
    assert broken(fault, function("softmax")).problem == "softmax"
    assert broken(GradeError("any")).max_points == Fraction(0)
