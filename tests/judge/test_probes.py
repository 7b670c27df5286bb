"""The inputs that a function is tried on to find out what it does."""

from pathlib import Path

import numpy as np
import pytest

from grader.judge import conventions, probes
from grader.model import Seed
from grader.sandbox.run import Runner
from tests.judge.made import FUNCTIONS, diagnosed, exercise_of, variant_of


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_mistake_of_code_is_exposed_by_a_probe(name):
    """On some probe it gives other values than the right ones, or raises."""
    exercise = exercise_of(variant_of(name))
    grounds = [exercise.on(probe) for probe in probes.of(variant_of(name))]
    for member, mistake in enumerate(exercise.mistakes):
        assert any(_differs(ground, member) for ground in grounds), mistake.id


def _differs(ground, member):
    right, wrong = ground.gives(()), ground.gives((member,))
    return wrong is None or not all(
        one.shape == other.shape and one.dtype.kind == other.dtype.kind and np.allclose(one, other, rtol=1e-5)
        for one, other in zip(right, wrong, strict=True)
    )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_probe_asks_the_same_twice(name):
    """What a law needs to see results that differ between calls stands among the probes, where numbers go in."""
    found = {probe.name: probe for probe in probes.of(variant_of(name))}
    if "again" in found:
        first = next(probe for probe in found.values() if probe.name.startswith(("square", "rectangular")))
        assert all(np.array_equal(found["again"].inputs[key], value) for key, value in first.inputs.items())
    else:
        assert name in {"causal_mask", "padding_mask"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_right_function_gives_numbers_on_every_probe(name):
    """No probe lies outside the contract: the reference computes it, finite and without raising."""
    exercise = exercise_of(variant_of(name))
    for probe in probes.of(variant_of(name)):
        given = exercise.on(probe).gives(())
        assert given is not None, probe.name
        assert all(np.isfinite(one).all() for one in given), probe.name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_query_may_read_a_key_and_not_every_one(name):
    """Rows that are blocked in whole are outside the contract; a random mask blocks something in each row."""
    for probe in probes.of(variant_of(name)):
        if "mask" in probe.inputs:
            assert probe.inputs["mask"].any(axis=-1).all(), probe.name
            assert not probe.inputs["mask"].all() or probe.inputs["mask"].size == 1, probe.name


def test_the_contract_with_a_mask_is_tried_in_every_way():
    """Square and rectangular; random, padding and causal masks and none; one query, one key, large, far below zero."""
    names = {probe.name for probe in probes.of(variant_of("attention"))}

    assert {"square", "square_mask", "square_causal", "rectangular", "rectangular_mask"} <= names
    assert {"rectangular_padding", "one_query", "one_key", "single_precision"} <= names
    assert any("large" in name for name in names)
    assert any("far_below" in name for name in names)


def test_probes_are_the_exercises_own_whatever_was_drawn():
    """The same numbers for every seed, so that what mistakes give on them is worked out once."""
    one, other = probes.of(variant_of("softmax")), probes.of(variant_of("softmax", Seed("5")))

    assert one is other


def test_inputs_beside_the_contract_are_for_wrong_code_alone():
    """Right code stops at every one of them; exercises without an output projection have none."""
    variant = variant_of("multi_head_attention")
    found = probes.unfit(variant.template)

    assert {probe.inputs["wo"].shape for probe in found} == {(3, 6), (12, 6), (36, 6), (3, 9), (27, 9)}
    assert all(exercise_of(variant).on(probe).gives(()) is None for probe in found)
    assert not probes.unfit(variant_of("attention").template)


def test_more_inputs_differ_in_size_and_numbers():
    """What tells apart what the probes cannot: drawn sizes, square every other time."""
    found = list(probes.more(variant_of("attention"), 6))

    assert len({probe.inputs["q"].shape for probe in found}) > 2
    assert found[1].inputs["q"].shape == found[1].inputs["k"].shape


def test_single_precision_is_among_them_and_whole_numbers_are_not():
    """No exercise hands whole numbers in: they show a habit, and never which mistake a function makes."""
    found = {probe.name: probe for probe in probes.of(variant_of("attention"))}
    habits = {probe.name: probe for probe in probes.of_habits(variant_of("attention").template)}

    assert "integer" not in found
    assert habits["integer"].inputs["q"].dtype == np.int64
    assert found["single_precision"].inputs["q"].dtype == np.float32
    assert not diagnosed(variant_of("attention"), ()).steps[0].findings


LAWFUL = {
    "dropout_active": "    w = softmax(s) * (np.random.rand(*s.shape) > 0.5) * 2\n    return w @ V, w\n",
    "mutates_input": "    Q /= np.sqrt(Q.shape[1])\n    w = softmax(s)\n    return w @ V, w\n",
}
BEFORE = """import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
"""


def test_what_is_known_by_a_law_is_exposed_by_the_probes_too():
    """Dropped weights are not the right ones on any probe of some size; a changed input is seen on every one."""
    variant = variant_of("attention")
    found = probes.of(variant)
    spec = variant.template.function
    cases = [conventions.arguments(spec, {}, probe.inputs) for probe in found]
    with Runner() as runner:
        dropped, changed = (
            runner.run(BEFORE + body, Path("attention.py"), "attention", cases, 2) for body in LAWFUL.values()
        )
    right = [exercise_of(variant).on(probe).gives(()) for probe in found]

    assert all(
        not np.allclose(one.values[1], want[1]) for one, want in zip(dropped, right, strict=True) if want[1].size > 9
    )
    assert all(0 in outcome.inputs_changed for outcome in changed if outcome.ending == "returned")
    assert any(outcome.inputs_changed for outcome in changed)
