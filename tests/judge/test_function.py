"""Judging functions: the reference passes, each implemented mistake fails and is named among what is said."""

from fractions import Fraction

import numpy as np
import pytest

from grader import trace
from grader.bank import draw, load
from grader.bank.seeds import DEFAULT
from grader.judge import conventions, score
from grader.judge.function import judge
from grader.model import Frame, Outcome, Seed

FUNCTIONS = [template.id for template in load.bank() if template.function is not None]


def variant_of(name, seed=DEFAULT):
    """The exercise with its default conventions, or as drawn from a seed."""
    return draw.rebuild(load.find(name), seed, 0)


def outcomes(variant, mistake=None):
    """What a function gives on every case that computes as the reference, or with one mistake."""
    pipeline = trace.pipelines()[variant.template.pipeline]
    steps = [returned.step for returned in variant.template.function.returns]
    found = []
    for case in variant.cases:
        try:
            made = trace.run(pipeline, trace.to_arrays(case.inputs), [mistake] if mistake else [])
            found.append(Outcome("returned", tuple(np.array(made[step]) for step in steps)))
        except Exception as error:  # noqa: BLE001 -- a mistake may crash in its own way
            found.append(Outcome("exception", error=type(error).__name__))
    return found


def possible(variant):
    """Every way of making every mistake of code that can show in a case, before what is returned."""
    pipeline = trace.pipelines()[variant.template.pipeline]
    wanted = {returned.step for returned in variant.template.function.returns}
    for case in variant.cases:
        inputs = trace.to_arrays(case.inputs)
        for step in reversed(pipeline.steps):
            if step.name in wanted and step.name not in inputs:
                wanted |= {*step.needs, *step.optional}
        for mistake in trace.applicable(pipeline, inputs, trace.run(pipeline, inputs)):
            if mistake.made != "hand" and {step.name for step in mistake.steps} & wanted:
                yield mistake


def test_there_are_the_ten_functions():
    """The eight of the contract, the projections and the padding mask."""
    eight = {"softmax", "scores", "causal_mask", "attention", "split_heads", "merge_heads"}
    eight |= {"multi_head_attention", "cross_attention"}

    assert set(FUNCTIONS) == eight | {"project_qkv", "padding_mask"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_reference_passes(name):
    """Full marks, status right, nothing found."""
    variant = variant_of(name)

    report = score.function(variant, judge(variant, outcomes(variant)))

    assert report.status == "right"
    assert report.points == report.max_points > 0
    assert not any(step.findings for step in report.steps)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_stub_is_not_written_yet(name):
    """No points, but blank rather than wrong."""
    variant = variant_of(name)
    frame = Frame(30, variant.template.function.name, "raise NotImplementedError")

    report = score.function(
        variant, judge(variant, [Outcome("not-written", line=30, frames=(frame,))] * len(variant.cases))
    )

    assert (report.status, report.reason, report.points) == ("blank", "not-written", 0)
    assert {step.status for step in report.steps} == {"not-written"}
    assert "not-written-at-line" in [finding.code for step in report.steps for finding in step.findings]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_implemented_mistake_fails(name):
    """Never full marks, never right."""
    variant = variant_of(name)
    tried = set(possible(variant))
    for mistake in tried:
        report = score.function(variant, judge(variant, outcomes(variant, mistake)))

        assert report.points < report.max_points, mistake.id
        assert report.status != "right", mistake.id
    assert tried


def test_points_are_shared_evenly_by_the_cases():
    """Right in all cases but the one with large scores: all but that share."""
    variant = variant_of("softmax")
    good = outcomes(variant)
    bad = [*good[:-1], Outcome("returned", (good[-1].values[0] + 1,))]

    report = score.function(variant, judge(variant, bad))

    assert report.points == report.max_points * Fraction(len(good) - 1, len(good))
    assert report.failing.name == variant.cases[-1].name


def test_shape_comes_before_value_and_kind_before_value():
    """A transposed array has the wrong shape; floats where booleans are wanted have the wrong kind."""
    variant = variant_of("scores")
    turned = [Outcome("returned", (outcome.values[0].T,)) for outcome in outcomes(variant)]
    mask = variant_of("causal_mask")
    floats = [Outcome("returned", (outcome.values[0].astype(float),)) for outcome in outcomes(mask)]

    shapes = [finding.code for step in judge(variant, turned).steps for finding in step.findings]
    kinds = [finding.code for step in judge(mask, floats).steps for finding in step.findings]

    assert "returned-shape-transposed" in shapes
    assert "returned-dtype" in kinds


def test_complex_numbers_are_told_as_such():
    """Right numbers with an imaginary part of 0 are called right but complex; others only complex."""
    variant = variant_of("scores")
    beside = [Outcome("returned", (outcome.values[0] + 0j,)) for outcome in outcomes(variant)]
    wrong = [Outcome("returned", (outcome.values[0] + 1j,)) for outcome in outcomes(variant)]

    codes = [[found.code for step in judge(variant, got).steps for found in step.findings] for got in (beside, wrong)]

    assert "returned-complex" in codes[0]
    assert "returned-complex" not in codes[1]
    assert "returned-dtype" in codes[1]


def test_nan_never_passes():
    """NaN where a number is wanted is not finite, whatever the rest."""
    variant = variant_of("scores")
    got = [Outcome("returned", (np.full_like(outcome.values[0], np.nan),)) for outcome in outcomes(variant)]

    report = score.function(variant, judge(variant, got))

    assert report.points == 0
    assert "returned-not-finite" in [finding.code for step in report.steps for finding in step.findings]


def test_a_value_that_has_points_is_not_marked_as_one_that_no_case_gave():
    """Right where the function ran, else not reached: a share, and no cross. The other value is to blame."""
    variant = variant_of("attention")
    crash = Outcome("exception", line=7, error="ValueError", message="matmul")
    good = outcomes(variant)
    spoilt = [Outcome("returned", (one.values[0] + 1, one.values[1])) for one in good[:2]]

    judged = judge(variant, [*spoilt, *[crash] * (len(good) - 2)])

    weights, output = judged.steps
    assert (weights.status, weights.points) == ("crashed", weights.max_points * Fraction(2, len(good)))
    assert [finding.code for finding in weights.findings] == ["right-where-reached"]
    assert weights.findings[0].numbers == {"passed": 2, "total": len(good), "returned": "weights"}
    assert (output.status, output.points) == ("wrong", 0)
    assert judged.blamed == 1


def test_a_crash_in_every_case_is_a_crash_and_in_one_case_costs_that_case():
    """The ending is named either way."""
    variant = variant_of("softmax")
    good = outcomes(variant)
    crash = Outcome("exception", line=7, error="IndexError", message="tuple index out of range")

    every = score.function(variant, judge(variant, [crash] * len(good)))
    once = score.function(variant, judge(variant, [crash, *good[1:]]))

    assert (every.status, every.reason, every.points) == ("crashed", "exception", 0)
    assert once.status == "crashed"
    assert once.points == once.max_points * Fraction(len(good) - 1, len(good))
    assert once.steps[0].findings[0].code.startswith("exception")
    assert once.steps[0].findings[0].line == 7


def test_a_result_with_rows_and_columns_exchanged_is_told_as_that():
    """Only where nothing else is wrong with it."""
    variant = variant_of("project_qkv")
    good = outcomes(variant)
    turned = [Outcome("returned", tuple(one.T for one in outcome.values)) for outcome in good]
    more = [Outcome("returned", tuple(one.T + 1 for one in outcome.values)) for outcome in good]

    codes = [{one.code for one in judge(variant, some).steps[0].findings} for some in (turned, more)]

    assert "returned-shape-transposed" in codes[0]
    assert "returned-shape" in codes[1]


def test_a_timeout_stops_a_problem():
    """Status stopped, reason timeout."""
    variant = variant_of("softmax")

    report = score.function(variant, judge(variant, [Outcome("timeout", limit=5.0)] * len(variant.cases)))

    assert (report.status, report.reason) == ("stopped", "timeout")


def test_changed_inputs_are_said_and_cost_nothing():
    """Right values from a function that overwrote its first argument."""
    variant = variant_of("softmax")
    good = [Outcome("returned", outcome.values, inputs_changed=(0,)) for outcome in outcomes(variant)]

    report = score.function(variant, judge(variant, good))

    assert report.points == report.max_points
    assert [finding.code for finding in report.steps[0].findings] == ["inputs-changed"]


def test_conventions_only_change_what_crosses_the_border():
    """A mask where True blocks goes in and comes back inverted, weights stored [out, in] go in transposed."""
    attention = load.find("attention").function
    inputs = {"q": np.ones((1, 2)), "k": np.ones((3, 2)), "v": np.ones((3, 2)), "mask": np.array([[True, False, True]])}
    handed = conventions.arguments(attention, {"mask_true": "blocked"}, inputs)
    project = load.find("project_qkv").function
    weights = np.arange(6.0).reshape(2, 3)
    stored = conventions.arguments(project, {"weights_stored": "out_in"}, {"x": np.ones((1, 2)), "wq": weights})
    causal = load.find("causal_mask").function
    back = conventions.canonical(causal, {"mask_true": "blocked"}, (np.array([[False, True], [False, False]]),))

    assert np.array_equal(handed[3], [[False, True, False]])
    assert np.array_equal(stored[1], weights.T)
    assert np.array_equal(back[0], [[True, False], [True, True]])


@pytest.mark.parametrize("seed", ["1", "2", "3", "4", "5"])
def test_every_drawn_convention_goes_in_and_comes_back(seed):
    """What a learner returns in the drawn convention is, turned back, what the reference gives."""
    for name in FUNCTIONS:
        variant = variant_of(name, Seed(seed))
        spec, settings = variant.template.function, variant.chosen["conventions"]
        for outcome in outcomes(variant):
            given = conventions.turned(spec, settings, outcome.values)
            given = given[::-1] if settings.get("return_order") == "weights_first" else given
            back = conventions.canonical(spec, settings, given)

            assert all(np.array_equal(one, other) for one, other in zip(back, outcome.values, strict=True)), name
