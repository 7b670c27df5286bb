"""Running sets of mistakes: the same as the trace gives, whichever way they are reached."""

import numpy as np
import pytest

from grader import trace
from grader.judge import probes
from tests.judge.made import FUNCTIONS, exercise_of, variant_of


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_single_mistake_gives_what_its_trace_gives(name):
    """On every probe, value for value."""
    variant = variant_of(name)
    exercise = exercise_of(variant)
    for probe in probes.of(variant)[:6]:
        ground = exercise.on(probe)
        for member, mistake in enumerate(exercise.mistakes):
            given = ground.gives((member,))
            try:
                made = trace.run(exercise.pipeline, probe.inputs, [mistake])
            except Exception:  # noqa: BLE001 -- a mistake may raise in its own way, in a step that is not wanted too
                continue
            assert all(
                np.array_equal(made[step], one, equal_nan=one.dtype != bool)
                for step, one in zip(exercise.wanted, given, strict=True)
            ), (mistake.id, probe.name)


@pytest.mark.parametrize("name", ["attention", "multi_head_attention"])
def test_walking_reaches_the_same_values_as_running_each_set_alone(name):
    """What is shared with the parent is never stale."""
    variant = variant_of(name)
    ground = exercise_of(variant).on(probes.of(variant)[0])
    for members, values in list(ground.walk(2))[::13]:
        walked, alone = ground.wanted(values), ground.gives(members)

        assert (walked is None) == (alone is None)
        if walked is not None:
            assert all(np.array_equal(one, other, equal_nan=True) for one, other in zip(walked, alone, strict=True))


def test_no_step_is_computed_by_two_of_a_set():
    """Two mistakes on the same step are not made together: one of them would not be seen."""
    variant = variant_of("multi_head_attention")
    exercise = exercise_of(variant)
    for members, _ in list(exercise.on(probes.of(variant)[0]).walk(2, 2))[::7]:
        one, other = (exercise.whole.ways[member] for member in members)

        assert one.mistake.id != other.mistake.id
        assert one.forms.keys().isdisjoint(other.forms)
