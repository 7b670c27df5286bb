"""Naming the mistakes of a function: the smallest set that gives everything it gives, or nobody is accused."""

import random

import numpy as np
import pytest

from grader import trace
from grader.judge import diagnose, function, naming
from grader.judge.function import judge
from grader.model import Outcome, Seed
from tests.judge.in_process import asker
from tests.judge.made import FUNCTIONS, diagnosed, exercise_of, members_of, named, outcome, said, variant_of


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_single_mistake_is_named_or_is_of_the_class_that_is(name):
    """Each way of each mistake of code that runs at all: its id is the explanation, or gives the same everywhere."""
    variant = variant_of(name)
    exercise = exercise_of(variant)
    for member, mistake in enumerate(exercise.mistakes):
        judged = diagnosed(variant, (member,))
        right = all(step.status == "right" for step in judged.steps)
        assert right or (frozenset([mistake.id]) in said(judged)) or judged.ending == "crashed", mistake.id


@pytest.mark.parametrize("name", ["attention", "multi_head_attention", "cross_attention", "softmax", "project_qkv"])
def test_pairs_are_named_or_something_smaller_that_is_the_same(name):
    """A sample of the pairs that can be made together: never another set of the same size."""
    variant = variant_of(name)
    exercise = exercise_of(variant)
    places = range(len(exercise.mistakes))
    pairs = [(a, b) for a in places for b in places if a < b and exercise.whole.together((a,), b)]
    for pair in random.Random(7).sample(pairs, min(25, len(pairs))):
        judged = diagnosed(variant, pair)
        ids = frozenset(exercise.ids(pair))
        found = said(judged)
        assert not found or ids in found or min(map(len, found)) < 2, (ids, found)


def test_two_mistakes_are_told_under_one_code():
    """Several mistakes have one finding, in the order of the steps, at the step that goes wrong first."""
    variant = variant_of("attention")
    judged = diagnosed(variant, members_of(exercise_of(variant), "mix_keys_instead_of_values", "scale_missing"))

    (found,) = named(judged)
    assert found.code == "several-mistakes"
    assert found.mistakes == ("scale_missing", "mix_keys_instead_of_values")
    at = next(step for step in judged.steps if found in step.findings)
    assert (at.step, at.findings[0]) == ("weights", found)  # the weights go wrong before the output does


def test_three_mistakes_are_found_too():
    """Singles and pairs are tried first, then triples."""
    variant = variant_of("attention")
    ids = ("scale_half_dk_precedence", "softmax_axis0", "mix_averages")

    assert frozenset(ids) in said(diagnosed(variant, members_of(exercise_of(variant), *ids)))


def test_one_class_is_named_once_by_what_people_do_most():
    """Scaling twice, by d_k itself, and scores already scaled are one function; the exercise's own words come first."""
    variant = variant_of("attention")
    (found,) = named(diagnosed(variant, members_of(exercise_of(variant), "scale_twice")))

    assert found.code == "scale_dk_not_sqrt"
    assert {("scale_twice",), ("scores_already_scaled",)} <= set(found.alternatives)


def test_a_value_off_in_one_case_accuses_nobody():
    """Everything as one mistake would have it but for one cell of one graded case: no set gives that."""
    variant = variant_of("attention")
    exercise = exercise_of(variant)
    members = members_of(exercise, "scale_missing")
    outcomes = [outcome(exercise.ground(trace.to_arrays(case.inputs)), members) for case in variant.cases]
    output, weights = outcomes[3].values
    outcomes[3] = Outcome("returned", (output + 1e-4, weights))

    judged = diagnosed(variant, members, outcomes)

    assert not named(judged)
    codes = [finding.code for step in judged.steps for finding in step.findings]
    assert any(code == "not-explained" or code.startswith("law-") for code in codes)


def test_a_set_that_fresh_inputs_disprove_is_not_named(monkeypatch):
    """Where two sets fit all that was seen, the submission itself decides on inputs that tell them apart."""
    variant = variant_of("attention")
    exercise = exercise_of(variant)
    one, other = members_of(exercise, "scale_missing"), members_of(exercise, "mix_averages")
    monkeypatch.setattr(naming, "_fitting", lambda _: [one, other])

    assert said(diagnosed(variant, one)) == [frozenset(["scale_missing"])]
    assert said(diagnosed(variant, other)) == [frozenset(["mix_averages"])]
    assert said(diagnosed(variant, members_of(exercise, "softmax_axis0"))) == []


def test_what_only_looks_like_fewer_mistakes_is_found_out():
    """Sizes that are alike by chance hide a mistake; where no more are alike than the code needs, it shows."""
    variant = variant_of("cross_attention")
    ids = ("scale_by_num_keys", "softmax_missing_keepdims", "mix_values_transposed")

    found = said(diagnosed(variant, members_of(exercise_of(variant), *ids)))

    assert frozenset(ids) in found
    assert frozenset(ids[1:]) not in found


@pytest.mark.parametrize("ids", [("mix_values_transposed",), ("scores_no_transpose", "mix_averages")])
def test_code_that_needs_sizes_alike_must_stop_where_they_are_not(ids):
    """Values of such mistakes with a way round the shapes that stop them is another function: nobody is accused."""
    variant = variant_of("attention")
    exercise = exercise_of(variant)
    members = members_of(exercise, *ids)

    def ask(inputs):
        return [
            outcome(ground, members if ground.gives(members) is not None else ())
            for ground in map(exercise.ground, inputs)
        ]

    outcomes = ask([trace.to_arrays(case.inputs) for case in variant.cases])

    assert not said(diagnosed(variant, members, outcomes, ask))


def test_that_code_stops_is_no_evidence():
    """Right with one head and stopping with more: some mistakes do just that, and so does anything else."""
    variant = variant_of("multi_head_attention")
    exercise = exercise_of(variant)

    def ask(inputs):
        return [
            Outcome("exception", error="TypeError") if one["n_heads"] > 1 else outcome(exercise.ground(one), ())
            for one in inputs
        ]

    judged = diagnosed(variant, (), ask([trace.to_arrays(case.inputs) for case in variant.cases]), ask)

    assert any(step.status != "right" for step in judged.steps)
    assert not said(judged)


@pytest.mark.parametrize(
    "ids",
    [
        ("merge_mean",),
        ("merge_concat_axis0",),
        ("merge_one_head_alone",),
        ("split_copies_input",),
        ("merge_sum", "scale_missing"),
    ],
)
def test_code_that_stops_on_every_right_input_is_known_where_it_does_not(ids):
    """Averaged heads do not fit the output weights; on weights as high as one head they do, and give their values."""
    variant = variant_of("multi_head_attention")
    exercise = exercise_of(variant)
    members = members_of(exercise, *ids)

    assert exercise.ground(trace.to_arrays(variant.cases[0].inputs)).gives(members) is None
    assert said(diagnosed(variant, members)) == [frozenset(ids)]


def test_right_functions_are_not_run_again():
    """No probe is run on a function that is right."""
    variant = variant_of("attention")

    def ask(_):
        raise AssertionError

    assert not named(diagnosed(variant, (), ask=ask))


@pytest.mark.parametrize("ending", ["timeout", "not-written", "syntax-error", "wrong-return"])
def test_what_cannot_tell_anything_is_not_asked(ending):
    """A function that never gave a value is not run on more inputs."""
    variant = variant_of("softmax")

    def ask(_):
        raise AssertionError

    outcomes = [Outcome(ending)] * len(variant.cases)
    assert not named(diagnosed(variant, (), outcomes, ask))


def test_marks_are_never_changed_by_what_is_found_out():
    """Status and points of every step are those of the marking."""
    variant = variant_of("cross_attention")
    exercise = exercise_of(variant)
    members = members_of(exercise, "cross_roles_swapped")
    outcomes = [outcome(exercise.ground(trace.to_arrays(case.inputs)), members) for case in variant.cases]
    before = function.judge(variant, outcomes)
    after = diagnosed(variant, members, outcomes)

    assert named(after)
    assert [(one.status, one.points) for one in before.steps] == [(one.status, one.points) for one in after.steps]


def test_overflow_errors_of_plain_python_count_as_infinities():
    """math.exp raises where np.exp gives inf: the same mistake."""
    variant = variant_of("softmax")
    exercise = exercise_of(variant)
    members = members_of(exercise, "softmax_no_max_subtraction")

    def raising(ground):
        found = outcome(ground, members)
        finite = all(np.isfinite(one).all() for one in found.values)
        return found if finite else Outcome("exception", error="OverflowError")

    outcomes = [raising(exercise.ground(trace.to_arrays(case.inputs))) for case in variant.cases]
    judged = diagnosed(variant, members, outcomes, lambda inputs: [raising(exercise.ground(one)) for one in inputs])

    assert frozenset(["softmax_no_max_subtraction"]) in said(judged)


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_naming_does_not_depend_on_the_seed(seed):
    """The probes are the exercise's own, whatever was drawn."""
    variant = variant_of("multi_head_attention", Seed(seed))
    judged = diagnosed(variant, members_of(exercise_of(variant), "scale_by_d_model"))

    assert frozenset(["scale_by_d_model"]) in said(judged)


def zeros(q, k, v, mask=None):
    """Arrays of the right shapes."""
    return np.zeros((len(q), v.shape[1])), np.zeros((len(q), len(k)))


def averages(q, k, v, mask=None):
    """Equal weights, and what they make of the values."""
    weights = np.full((len(q), len(k)), 1 / len(k))
    return weights @ v, weights


@pytest.mark.parametrize("function", [zeros, averages])
def test_a_placeholder_is_no_heap_of_mistakes(function):
    """One number throughout is what several contrived mistakes give as well: they are not said to have been made."""
    variant = variant_of("attention")
    ask = asker(variant, function)
    outcomes = ask([trace.to_arrays(case.inputs) for case in variant.cases])

    judged = diagnose.function(variant, judge(variant, outcomes), outcomes, ask)

    codes = [finding.code for step in judged.steps for finding in step.findings]
    assert not [code for code in codes if code.startswith("several")]
    assert [code for code in codes if code.startswith("law-")]


def test_what_whole_numbers_hide_is_looked_for_on_more_inputs():
    """Weights cut to 0 and 1 hardly show that the scores were multiplied: the smaller set is not what was done."""
    variant = variant_of("multi_head_attention")
    ways = {"scale_multiplied": "scaled", "cut_to_whole_numbers": "weights", "residual_added": "projected"}
    made = [(one.id, one.step) for one in exercise_of(variant).mistakes]

    found = said(diagnosed(variant, tuple(sorted(made.index(way) for way in ways.items()))))

    assert frozenset(["cut_to_whole_numbers", "residual_added"]) not in found
    assert not found or frozenset(ways) in found
