"""Functions that compute as the reference does, with some mistakes: what they give on any input."""

import numpy as np

from grader import trace
from grader.bank import draw, load
from grader.bank.seeds import DEFAULT
from grader.judge import diagnose, function, probes, seen
from grader.model import Outcome

FUNCTIONS = [template.id for template in load.bank() if template.function is not None]


def variant_of(name, seed=DEFAULT):
    """The exercise with its default conventions, or as drawn from a seed."""
    return draw.rebuild(load.find(name), seed, 0)


def exercise_of(variant):
    """The exercise with all ways of making mistakes."""
    return seen.exercise(variant.template, probes.of(variant))


def members_of(exercise, *ids):
    """The first way of making each of these mistakes."""
    return tuple(sorted(next(n for n, one in enumerate(exercise.mistakes) if one.id == name) for name in ids))


def outcome(ground, members):
    """What such a function gives on one input."""
    given = ground.gives(members)
    if given is None:
        return Outcome("exception", error="ValueError")
    return Outcome("returned", tuple(np.array(one) for one in given))


def diagnosed(variant, members, outcomes=None, ask=None):
    """What is said about a function that makes these mistakes."""
    exercise = exercise_of(variant)
    if outcomes is None:
        outcomes = [outcome(exercise.ground(trace.to_arrays(case.inputs)), members) for case in variant.cases]
    ask = ask or (lambda inputs: [outcome(exercise.ground(one), members) for one in inputs])
    return diagnose.function(variant, function.judge(variant, outcomes), outcomes, ask)


def named(judged):
    """The findings that name mistakes."""
    return [finding for step in judged.steps for finding in step.findings if finding.mistakes]


def said(judged):
    """Every set of mistakes that is said, as sets."""
    return [frozenset(one) for finding in named(judged) for one in (finding.mistakes, *finding.alternatives)]
