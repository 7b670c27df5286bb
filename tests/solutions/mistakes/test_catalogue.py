"""The catalogue as a whole: its ids, its steps, and that every mistake shows."""

import re
from collections import Counter

import numpy as np
import pytest

from grader.trace import applicable, catalogue, pipelines, run
from solutions.mistakes import MISTAKES

SATURATED = {
    "exp_not_divided",
    "exp_to_base_ten",
    "hard_attention",
    "mix_picks_strongest",
    "sigmoid_instead_of_softmax",
    "softmax_exp_of_ratio",
}
"""What gives the right answer where one key takes everything: there the winner is all that is left to see."""

STEPS = {step.name for steps in pipelines().values() for step in steps.steps}
DID_NOT_FIT = None


def wrong_traces(pipeline, inputs):
    """Each mistake that applies, and its trace; nothing where it does not fit the shapes."""
    for mistake in applicable(pipeline, inputs, run(pipeline, inputs)):
        try:
            yield mistake, run(pipeline, inputs, [mistake])
        except (ValueError, IndexError, TypeError, ArithmeticError):
            yield mistake, DID_NOT_FIT


def same(one, two):
    """Equal in shape, kind, places of NaN and inf, and value."""
    if one.shape != two.shape or (one.dtype == bool) != (two.dtype == bool):
        return False
    return np.array_equal(one.astype(float), two.astype(float), equal_nan=True)


def first_departure(right, wrong):
    """The first step, in order, where two traces differ."""
    return next((name for name in right if not same(right[name], wrong[name])), None)


@pytest.mark.parametrize("name", list(pipelines()))
def test_a_mistake_that_applies_shows(name, examples):
    """On inputs without pattern every mistake that applies departs from the right trace, at a step it computes."""
    for inputs in examples[name]:
        right = run(pipelines()[name], inputs)
        for mistake, wrong in wrong_traces(pipelines()[name], inputs):
            if wrong is DID_NOT_FIT:
                continue
            departs = first_departure(right, wrong)
            if departs is None:
                assert np.allclose(right["weights"], right["weights"].round()), mistake.id
                assert mistake.id in SATURATED
            else:
                assert departs in {step.name for step in mistake.steps}, mistake.id


def test_every_pipeline_has_examples(examples):
    """No pipeline is left out of these tests."""
    assert examples.keys() == pipelines().keys()


def test_every_mistake_shows_somewhere(examples):
    """Every mistake computes something wrong that fits, on some pipeline; but for the one that only ever stops."""
    shown = {
        mistake.id
        for name, cases in examples.items()
        for inputs in cases
        for mistake, wrong in wrong_traces(pipelines()[name], inputs)
        if wrong is not DID_NOT_FIT
    }

    assert shown == catalogue().keys() - {"int_inplace_division"}


def test_right_traces_have_no_nan(examples):
    """The reference itself gives no NaN on any of the examples."""
    for name, cases in examples.items():
        for inputs in cases:
            trace = run(pipelines()[name], inputs)
            assert not any(np.isnan(value.astype(float)).any() for value in trace.values()), name


def test_ids():
    """Ids are snake_case; one that stands twice is made in more than one way: by hand alone, or first as by hand."""
    counts = Counter(mistake.id for mistake in MISTAKES)

    assert all(re.fullmatch(r"[a-z][a-z0-9_]+", name) for name in counts)
    later = [m for i, m in enumerate(MISTAKES) if m.id in {other.id for other in MISTAKES[:i]}]
    in_code = {mistake.id for mistake in MISTAKES if mistake.made != "hand"}
    assert all(mistake.made != "hand" or mistake.id not in in_code for mistake in later)


def test_steps_exist():
    """A mistake lives in a step of some pipeline and computes only such steps (or their twins)."""
    for mistake in MISTAKES:
        assert mistake.step in STEPS, mistake.id
        names = {step.name.removesuffix("_new") for step in mistake.steps}
        assert names <= STEPS, mistake.id


def test_enough_by_hand():
    """At least 25 mistakes are made with a pencil."""
    assert sum(mistake.made != "code" for mistake in catalogue().values()) >= 25


def test_mistakes_leave_inputs_alone(examples):
    """No mistake, and no step, writes into what it is given."""
    for name, cases in examples.items():
        for inputs in cases:
            before = {key: value.copy() for key, value in inputs.items()}
            list(wrong_traces(pipelines()[name], inputs))
            assert all(np.array_equal(before[key], inputs[key]) for key in inputs), name
