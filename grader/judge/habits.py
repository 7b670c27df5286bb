"""Mistakes that give the right values in every graded case: they show in how a function treats what it is given.

It may write into arrays that the caller still needs, keep decimals in an array made like an integer one, or give back
one of the values it is asked for. Nothing here costs points.
"""

from collections.abc import Mapping

from grader.judge.compare import CODE_TOLERANCE, close
from grader.judge.function import Judged
from grader.judge.probes import INTEGER, READ_ONLY, Probe, of_habits
from grader.model import Array, AskAgain, Finding, Mistake, Outcome, Variant
from grader.trace import applicable, pipelines, run, to_arrays

WRITES = "mutates_input"
ALONE = "returns_only_output"
IN_PLACE = "int_inplace_division"
CUT_OFF = "integer_truncation"
CUTS = "whole-numbers-cut"
REFUSES = "whole-numbers-refused"
REFUSED = "UFuncTypeError"
"""What NumPy raises if decimals are to be kept in whole numbers."""


def found(variant: Variant, judged: Judged, ask: AskAgain) -> tuple[Finding, ...]:
    """What a right function does with inputs of kinds that no graded case has; only what is known to happen is said.

    Whole numbers are what no exercise hands in: what would become of them is said as an if, never as a mistake about
    something else.
    """
    tried = of_habits(variant.template)
    outcomes = ask([probe.inputs for probe in tried]) if tried else []
    told = {one for step in judged.steps for finding in step.findings for one in finding.mistakes}
    found: list[Finding] = []
    for probe, outcome in zip(tried, outcomes, strict=True):
        if probe.name == READ_ONLY and _is_refused_to_write(outcome):
            found += [Finding(WRITES, {}, (WRITES,))]
        if probe.name == INTEGER and not _is_right(variant, probe, outcome):
            found += _with_whole_numbers(variant, probe, outcome)
    if WRITES in {*told, *(one.code for one in found)}:
        found = [one for one in found if one.code != REFUSES]  # the very same line
    return tuple(one for one in found if not told.intersection(one.mistakes))


def _is_refused_to_write(outcome: Outcome) -> bool:
    return (outcome.ending, outcome.error) == ("exception", "ValueError") and "read-only" in outcome.message


def _is_right(variant: Variant, probe: Probe, outcome: Outcome) -> bool:
    return outcome.ending == "returned" and _gives(variant, probe.inputs, outcome, ())


def _gives(variant: Variant, inputs: Mapping[str, Array], outcome: Outcome, made: tuple[Mistake, ...]) -> bool:
    """Whether a returned outcome is what comes of these mistakes."""
    spec = variant.template.function
    assert spec is not None  # noqa: S101 -- a function was judged
    try:
        want = run(pipelines()[variant.template.pipeline], inputs, made)
    except Exception:  # noqa: BLE001 -- a mistake may stop here, each in its own way
        return False
    pairs = zip(spec.returns, outcome.values, strict=True)
    return all(close(want[one.step], value, CODE_TOLERANCE) for one, value in pairs)


def _with_whole_numbers(variant: Variant, probe: Probe, outcome: Outcome) -> list[Finding]:
    """What would become of whole numbers: refused in place, or cut as one known way of keeping results cuts them."""
    pipeline = pipelines()[variant.template.pipeline]
    ways = applicable(pipeline, probe.inputs, run(pipeline, probe.inputs))
    if outcome.ending == "exception":
        divided = tuple({way.id for way in ways} & {IN_PLACE})
        return [Finding(REFUSES, {}, divided)] if outcome.error == REFUSED else []
    cut = any(way.id == CUT_OFF and _gives(variant, probe.inputs, outcome, (way,)) for way in ways)
    return [Finding(CUTS, {}, (CUT_OFF,))] if cut and outcome.ending == "returned" else []


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
