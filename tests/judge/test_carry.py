"""One mistake costs once, in code too."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from grader.judge import score
from grader.judge.carry import carried, carried_from
from grader.model import Finding
from tests.judge.made import diagnosed, exercise_of, members_of, variant_of


def report_of(name, *ids, file=None):
    """The report of a function that makes these mistakes."""
    variant = variant_of(name)
    judged = diagnosed(variant, members_of(exercise_of(variant), *ids))
    return replace(score.function(variant, judged), file=Path(file or f"{name}.py"))


def codes(report):
    """All findings' codes."""
    return [finding.code for step in report.steps for finding in step.findings]


def test_attention_that_is_wrong_by_its_softmax_keeps_its_points():
    """Softmax over the wrong axis costs once, in softmax."""
    softmax, attention = carried([report_of("softmax", "softmax_axis0"), report_of("attention", "softmax_axis0")])

    assert softmax.points < softmax.max_points
    assert attention.points == attention.max_points
    assert attention.status == "wrong"
    assert attention.reason == "carried"
    assert {step.status for step in attention.steps} == {"carried"}
    assert "carried-code" in codes(attention)
    assert attention.steps[0].findings[0].numbers == {"earlier": "softmax"}


def test_a_mistake_of_its_own_costs():
    """Axis and scale: the scale was found nowhere before."""
    _, attention = carried(
        [report_of("softmax", "softmax_axis0"), report_of("attention", "softmax_axis0", "scale_missing")]
    )

    assert attention.points < attention.max_points
    assert "carried-code" not in codes(attention)


def test_a_copy_of_a_wrong_function_is_as_wrong():
    """Another file of the same problem carries nothing; what calls it is still carried once."""
    first = report_of("softmax", "softmax_axis0")
    copies = [replace(first, file=Path(name)) for name in ("copy of softmax.py", "zz.py")]
    found = carried([first, *copies, report_of("attention", "softmax_axis0")])

    assert [one.points for one in found[1:3]] == [first.points] * 2
    assert all("carried-code" not in codes(one) for one in found[:3])
    assert found[3].steps[0].findings[0].numbers == {"earlier": "softmax"}


def test_two_mistakes_found_in_two_functions_are_carried():
    """Raw scores already scaled, softmax over the wrong axis: both were found before."""
    *_, attention = carried(
        [
            report_of("scores", "scores_already_scaled"),
            report_of("softmax", "softmax_axis0"),
            report_of("attention", "softmax_axis0", "scores_already_scaled"),
        ]
    )

    assert attention.points == attention.max_points
    assert attention.steps[0].findings[0].numbers == {"earlier": "scores, softmax"}


def test_carried_on_from_function_to_function():
    """Softmax, attention in one head, attention in several: all by the one mistake of softmax."""
    reports = carried([report_of(name, "softmax_axis0") for name in ("softmax", "attention", "multi_head_attention")])

    assert [report.points == report.max_points for report in reports] == [False, True, True]
    assert reports[2].steps[0].findings[0].numbers == {"earlier": "softmax"}


def test_what_comes_first_is_never_carried():
    """Attention before softmax: nothing was found yet."""
    attention, _ = carried([report_of("attention", "softmax_axis0"), report_of("softmax", "softmax_axis0")])

    assert attention.points < attention.max_points


def test_worksheets_neither_carry_nor_are_carried():
    """A hand answer says nothing about code."""
    sheet = report_of("softmax", "softmax_axis0", file="04_softmax_row.md")
    _, attention = carried([sheet, report_of("attention", "softmax_axis0")])

    assert attention.points < attention.max_points


def test_right_functions_stay_as_they_are():
    """Nothing to carry."""
    report = report_of("attention")

    assert carried([report, report]) == [report, report]


@pytest.mark.parametrize(
    ("mistakes", "alternatives", "earlier"),
    [
        (("a",), (), ("one",)),
        (("a", "b"), (), ("one", "two")),
        (("a", "c"), (), ()),
        (("c",), (("a",),), ("one",)),
        (("c",), (("a", "c"),), ()),
    ],
)
def test_all_of_an_explanation_must_have_been_found(mistakes, alternatives, earlier):
    """An explanation, or one that gives the same, of which every mistake was found before."""
    found = {"one": Finding("a", {}, ("a",)), "two": Finding("several-mistakes", {}, ("x", "b"), (("y", "z"),))}

    assert carried_from(Finding(mistakes[0], {}, mistakes, alternatives), found) == earlier


def test_points_add_up_exactly():
    """The parts of a carried report add up to its points."""
    _, attention = carried([report_of("softmax", "softmax_axis0"), report_of("attention", "softmax_axis0")])

    assert sum((step.points for step in attention.steps), Fraction(0)) == attention.points
