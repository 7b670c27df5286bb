"""Mistakes that give the right values in every graded case: they show in how a function treats what it is given.

It may write into arrays that the caller still needs, keep decimals in an array made like an integer one, or give back
one of the values it is asked for. Nothing here costs points.
"""

import numpy as np

from grader.judge.compare import CODE_TOLERANCE, close
from grader.judge.function import Judged
from grader.judge.probes import INTEGER, READ_ONLY, Probe, of_habits
from grader.model import Array, AskAgain, Finding, Outcome, Variant
from grader.trace import pipelines, run, to_arrays

WRITES = "mutates_input"
ALONE = "returns_only_output"
IN_PLACE = "int_inplace_division"
REFUSED = "UFuncTypeError"
"""What NumPy raises if decimals are to be kept in whole numbers."""


def found(variant: Variant, judged: Judged, ask: AskAgain) -> tuple[Finding, ...]:
    """What a right function does with inputs of kinds that no graded case has; only what is known by its id is said."""
    tried = of_habits(variant.template)
    outcomes = ask([probe.inputs for probe in tried]) if tried else []
    told = {one for step in judged.steps for finding in step.findings for one in finding.mistakes}
    names: list[str] = []
    for probe, outcome in zip(tried, outcomes, strict=True):
        if probe.name == READ_ONLY and outcome.ending == "exception":
            names += [WRITES]
        if probe.name == INTEGER and not _is_right(variant, probe, outcome):
            names += _with_whole_numbers(variant, probe, outcome)
    if WRITES in {*told, *names}:
        names = [name for name in names if name != IN_PLACE]  # the very same line
    return tuple(Finding(name, {}, (name,)) for name in names if name not in told)


def _is_right(variant: Variant, probe: Probe, outcome: Outcome) -> bool:
    spec = variant.template.function
    assert spec is not None  # noqa: S101 -- a function was judged
    right = run(pipelines()[variant.template.pipeline], probe.inputs)
    return outcome.ending == "returned" and all(
        close(right[one.step], value, CODE_TOLERANCE) for one, value in zip(spec.returns, outcome.values, strict=True)
    )


def _with_whole_numbers(variant: Variant, probe: Probe, outcome: Outcome) -> list[str]:
    """The one mistake that gives this where whole numbers are handed in, and is right where they are floats."""
    from grader.judge.probes import of  # noqa: PLC0415 -- right functions do without
    from grader.judge.seen import Seen, exercise  # noqa: PLC0415 -- as above

    if outcome.ending == "exception" and outcome.error != REFUSED:
        return []
    made = exercise(variant.template, of(variant))
    floats = made.ground({name: _as_float(array) for name, array in probe.inputs.items()})
    seen, right = Seen(made.ground(probe.inputs), outcome), Seen(floats, Outcome("returned", floats.gives(()) or ()))
    places = range(len(made.mistakes))
    first = next((one for one in places if seen.agrees((one,)) and right.agrees((one,))), None)
    return [] if first is None else [made.mistakes[first].id]


def _as_float(array: Array) -> Array:
    return array.astype(np.float64) if array.ndim and array.dtype.kind == "i" else array


def gives_one_value(outcome: Outcome) -> bool:
    """Whether a function gave back one array where several were asked for."""
    return (outcome.ending, outcome.error, outcome.message) == ("wrong-return", "count", "1")


def only_the_first(variant: Variant, ask_first: AskAgain) -> Finding | None:
    """The finding that the first value alone was given back, if that is what it is in every graded case."""
    spec = variant.template.function
    assert spec is not None  # noqa: S101 -- a function was judged
    if spec.returns[0].step != "output":
        return None
    inputs = [to_arrays(case.inputs) for case in variant.cases]
    pipeline = pipelines()[variant.template.pipeline]
    right = [run(pipeline, one, until="output")["output"] for one in inputs]
    got = ask_first(inputs)
    same = all(
        outcome.ending == "returned" and close(want, outcome.values[0], CODE_TOLERANCE)
        for want, outcome in zip(right, got, strict=True)
    )
    return Finding(ALONE, {}, (ALONE,)) if same else None
