"""The index of one probe: no set is missed for a last digit, and it survives being kept as bytes."""

from dataclasses import replace

import numpy as np
import pytest

from grader.judge import index, probes
from tests.judge.made import exercise_of, variant_of


@pytest.fixture(scope="module")
def ground():
    """Attention on its first probe."""
    variant = variant_of("attention")
    return exercise_of(variant).on(probes.of(variant)[0])


@pytest.fixture(scope="module")
def pairs(ground):
    """The index of its singles and pairs."""
    return index.build(ground, 2)


def test_every_set_is_found_by_what_it_gives(ground, pairs):
    """Also when every number is off by what rounding may do."""
    for members, values in list(ground.walk(2))[::17]:
        given = ground.wanted(values)
        moved = None if given is None else tuple(one * (1 + 3e-7) if one.dtype != bool else one for one in given)

        assert members in pairs.find(given)
        assert members in pairs.find(moved)


def test_candidates_are_few(ground, pairs):
    """A look-up is no search: on average a handful of sets have the same numbers."""
    counts = [len(pairs.find(ground.wanted(values))) for _, values in list(ground.walk(2))[::29]]

    assert np.median(counts) <= 10


def test_numbers_of_no_set_find_nothing(ground, pairs):
    """Nor do other shapes."""
    output, weights = ground.gives(())

    assert pairs.find((output + 0.123, weights)) == []
    assert pairs.find((output[:2], weights)) == []


def test_it_is_the_same_after_being_kept(pairs):
    """Bytes and back."""
    again = index.from_bytes(index.to_bytes(pairs))

    assert again.kinds == pairs.kinds
    assert np.array_equal(again.members, pairs.members)
    assert np.array_equal(again.sums, pairs.sums, equal_nan=True)


@pytest.mark.parametrize("cut", [0, 5, 31, 40, -1])
def test_damaged_bytes_are_no_index(pairs, cut):
    """A file that was cut off is made anew."""
    assert index.from_bytes(index.to_bytes(pairs)[:cut]) is None


def test_another_format_is_no_index(pairs):
    """What another version wrote is made anew."""
    data = bytearray(index.to_bytes(pairs))
    data[0] += 1

    assert index.from_bytes(bytes(data)) is None


def test_an_index_is_kept_under_the_mistakes_that_stand_in_it():
    """Another probe may let in more of them: what was kept before is then not looked up by the new numbers."""
    exercise, probe = exercise_of(variant_of("softmax")), probes.of(variant_of("softmax"))[0]
    fewer = replace(exercise, mistakes=exercise.mistakes[:-1], _grounds={})
    keys = []

    for one in (exercise, fewer):
        one.index(probe, 1, lambda key, _: keys.append(key))

    assert keys[0] != keys[1]
