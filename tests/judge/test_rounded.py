"""Digits lost on the way: told by what was rounded, only where that gives the very numbers and chance would not."""

import math

import numpy as np
import pytest

from grader import trace
from tests.judge.test_explain import marked, variant_of
from tests.typing_learner import text_of

ROUND = {"rounded": np.round, "cut": lambda a, digits: np.floor(np.asarray(a) * 10**digits + 1e-9) / 10**digits}


def typed(array, decimals=4):
    """An array as a learner types it."""
    if np.ndim(array) == 0:
        return f"{float(array):.{decimals}f}"
    return f"[{', '.join(typed(one, decimals) for one in array)}]"


def codes(report):
    """What is said of a blank."""
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize("way", ROUND)
@pytest.mark.parametrize("seed", range(4))
def test_exponentials_rounded_before_they_are_summed_are_told(seed, way):
    """By hand nobody takes a maximum away first: the exponentials themselves, to one decimal."""
    variant = variant_of("softmax_row", seed)
    right = trace.solve(variant)
    exps = ROUND[way]([math.exp(score) for score in right["masked"]], 1)

    (found,) = marked(variant, right, weights=typed(exps / sum(exps)))["weights"].findings

    assert found.code.removeprefix("perhaps-") in {
        f"{way}-on-the-way",
        "rounded-on-the-way",
    }  # where both give the same
    assert (found.numbers["step"], found.numbers["digits"]) == ("exp", 1)


def test_exponentials_rounded_inside_a_softmax_of_one_step_are_told():
    """A pipeline that does not ask for its softmax in steps is cut into them."""
    variant = variant_of("shift_invariance", 7)
    right = trace.solve(variant)
    exps = np.round([math.exp(score) for score in right["row"]], 1)

    (found,) = marked(variant, right, weights=typed(exps / exps.sum()))["weights"].findings

    assert (found.code, found.numbers["step"]) == ("rounded-on-the-way", "exp")


@pytest.mark.parametrize(("way", "digits"), [("rounded", 1), ("rounded", 2), ("cut", 2)])
def test_weights_shortened_before_the_values_are_mixed_are_told(way, digits):
    """The weights are typed with all their digits, and others gone on with."""
    variant = variant_of("causal_attention", 7)
    right = trace.solve(variant)

    report = marked(variant, right, output=typed(ROUND[way](right["weights"], digits) @ right["v"]))["output"]

    assert codes(report) == [f"{way}-on-the-way"]
    assert (report.findings[0].numbers["step"], report.findings[0].numbers["digits"]) == ("weights", digits)


def test_a_root_that_was_rounded_is_told():
    """Scores over 5.7 for the root of 32."""
    variant = variant_of("scale_scores", 7)
    right = trace.solve(variant)
    assert int(right["d_k"]) == 32

    (found,) = marked(variant, right, scaled=typed(right["scores"] / 5.7))["scaled"].findings

    assert (found.code, found.numbers["step"], found.numbers["digits"]) == ("rounded-on-the-way", "√d_k", 1)


def test_a_number_near_the_right_one_is_not_blamed_on_rounding():
    """One digit misread, far from what any rounding gives."""
    variant = variant_of("causal_attention", 7)
    right = trace.solve(variant)
    output = np.array(right["output"])
    output[1, 0] += 0.0137

    assert not [code for code in codes(marked(variant, right, output=typed(output))["output"]) if "way" in code]


@pytest.mark.parametrize(
    ("scaled", "status", "found"),
    [
        ("[[0, 0.70], [0.70, 0]]", "imprecise", ["cut-short"]),  # 0.70710678 is 0.71
        ("[[0, 0.7], [0.7, 0]]", "wrong", ["far-too-few"]),
        ("[[0, 0.7100], [0.7100, 0]]", "wrong", ["zeros-for-digits"]),
        ("[[0, 0.7000], [0.7000, 0]]", "wrong", ["zeros-for-digits"]),
        ("[[0, 0.7200], [0.7200, 0]]", "wrong", []),
        ("[[0, 0.72], [0.72, 0]]", "wrong", []),
    ],
)
def test_fewer_digits_than_asked_are_told_by_what_became_of_the_others(lesson, scaled, status, found):
    """Cut off, filled up with zeros, or another number altogether."""
    report = marked(lesson, trace.solve(lesson), scaled=scaled)["scaled"]

    assert (report.status, codes(report)) == (status, found)


def test_what_was_cut_off_and_gone_on_with_is_followed():
    """Cut after three decimals at every step: half for missing digits, full points for what follows."""
    variant = variant_of("causal_attention", 7)
    right = trace.solve(variant)
    cut = ROUND["cut"]
    scaled = np.sign(right["scaled"]) * cut(np.abs(right["scaled"]), 3)
    exps = np.where(right["mask"], np.exp(scaled), 0.0)
    weights = cut(exps / exps.sum(axis=1, keepdims=True), 3)
    texts = {"scaled": typed(scaled, 3), "weights": typed(weights, 3), "output": typed(weights @ right["v"])}

    reports = marked(variant, right, **texts)

    assert [reports[name].status for name in texts] == ["imprecise", "imprecise", "carried"]


def test_right_answers_are_not_looked_at_for_rounding(lesson):
    """What is right is right, however it was come by."""
    right = trace.solve(lesson)
    texts = {blank.name: text_of(blank, right) for blank in lesson.blanks}

    assert all(report.status == "right" for report in marked(lesson, right, **texts).values())
