"""A report as JSON: the object that docs/report.md describes, and strict."""

import json as standard
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from grader.errors import BadInput
from grader.model import Batch, Finding, Report, StepReport, Text
from grader.show import json

DOC = Path(__file__).parents[2] / "docs" / "report.md"


def _steps() -> tuple[StepReport, ...]:
    found = Finding("softmax_axis0", {"mistake": "softmax_axis0"}, ("softmax_axis0",), (("scale_twice",),), line=14)
    return (
        StepReport("scores", "right", Fraction(1), Fraction(1), read_as="2, 0; 1, 1"),
        StepReport("weights", "wrong", Fraction(0), Fraction(1), (found,), ((0, 0), (1, 1)), yours=np.eye(2)),
        StepReport("output", "carried", Fraction(3, 2), Fraction(3, 2)),
    )


def _report(**more) -> Report:
    values = {
        "problem": "attention_all",
        "file": Path("exercises/16_attention_all.md"),
        "variant": "attention_all-5f1c-11-0",
        "title": Text("One head for all tokens", "一个头算完所有词元"),
        "status": "wrong",
        "points": Fraction(5, 2),
        "max_points": Fraction(7, 2),
        "steps": _steps(),
    }
    return Report(**values | more)


def _broken() -> Report:
    fault = BadInput("bad-token", file=Path("exercises/20_mask.md"), line=3, token="?")
    nothing = {"points": Fraction(0), "max_points": Fraction(0), "steps": (), "variant": None, "fault": fault}
    title = Text("20_mask.md", "20_mask.md")
    return _report(problem="20_mask.md", file=Path("exercises/20_mask.md"), title=title, status="unreadable", **nothing)


def _stopped() -> Report:
    step = StepReport("output", "stopped", Fraction(0), Fraction(1), (Finding("timeout", {"limit": 5}, line=40),))
    return _report(
        problem="attention",
        file=Path("exercises/attention.py"),
        title=Text("Attention", "注意力"),
        variant=None,
        status="stopped",
        reason="timeout",
        isolation="namespaces",
        steps=(step,),
        points=Fraction(0),
        max_points=Fraction(1),
    )


def _example(words) -> dict:
    return json.report(Batch((_report(), _stopped(), _broken())), words)


def _keys(value) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for name, item in value.items() if name != "numbers" for key in _keys(item)}
    return {key for item in value for key in _keys(item)} if isinstance(value, list) else set()


def test_every_key_is_documented(words):
    """Each key that can come out is named in docs/report.md."""
    text = DOC.read_text(encoding="utf-8")
    keys = _keys(_example(words)) | _keys(json.report([Batch((), "s1")], words))

    assert not {key for key in keys if f"`{key}`" not in text}


def test_points_are_numbers_and_exact_text(words):
    """The sum of all problems stands as a float and as a fraction."""
    made = json.report(Batch((_report(), _stopped())), words)

    assert made["points"] == 2.5
    assert made["points_exact"] == "5/2"
    assert made["max_points"] == 4.5
    assert isinstance(made["problems"][1]["points"], float)


def test_isolation_is_that_of_the_code_that_ran(words):
    """Worksheets run nothing; one function that ran tells how."""
    assert json.report(Batch((_report(),)), words)["isolation"] == "none"
    assert json.report(Batch((_report(), _stopped())), words)["isolation"] == "namespaces"


def test_a_file_that_cannot_be_read_is_a_problem(words):
    """Its status is unreadable, its reason a code, and a message says where and why in both languages."""
    problem = json.report(Batch((_broken(),)), words)["problems"][0]

    assert (problem["status"], problem["reason"]) == ("unreadable", "bad-token")
    assert problem["message"]["en"].endswith(":3: The variant token cannot be read: ?.")
    assert problem["message"]["zh"].endswith(":3: 无法读取变体标记：?。")


def test_an_unexpected_fault_is_ours(words):
    """An error that nobody foresaw has the reason own-fault."""
    assert json.report(Batch((_report(fault=RuntimeError("x")),)), words)["problems"][0]["reason"] == "own-fault"


def test_a_class_has_students(words):
    """Several batches become students, each with points and problems."""
    made = json.report([Batch((_report(),), "s1"), Batch((), None)], words)

    assert [student["student"] for student in made["students"]] == ["s1", None]
    assert made["students"][0]["points_exact"] == "5/2"
    assert "problems" not in made


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.array([[1.0, np.inf], [np.nan, -np.inf]]), [[1.0, "inf"], ["nan", "-inf"]]),
        (np.int64(3), 3),
        (np.array([True]), [True]),
        (np.float64("nan"), "nan"),
        ((1, [2, None]), [1, [2, None]]),
        ({"a\x1b": {1}}, {"a\\x1b": [1]}),
        (Fraction(7, 2), "7/2"),
        ("\u202e", "\\u202e"),
    ],
)
def test_numbers_become_plain_json(value, plain):
    """Arrays are lists, what JSON has no number for is a string, text is made safe."""
    assert json.plain(value) == plain


def test_the_text_is_strict_ascii(words):
    """No NaN token, no character that a console could choke on; it reads back as the same object."""
    found = Finding("odd", {"cells": np.array([np.nan, 1.0]), "text": "\x1b]0;\u2028中"})
    text = json.dumps(Batch((_report(findings=(found,)),)), words)

    assert text.isascii()
    assert "NaN" not in text
    assert standard.loads(text) == json.report(Batch((_report(findings=(found,)),)), words)
