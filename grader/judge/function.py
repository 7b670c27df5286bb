"""Judge what a function returned, case by case: shape, kind, finite, value.

What explains it is found out afterwards (`diagnose`); it never changes a mark.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from grader.judge.compare import CODE_TOLERANCE, close
from grader.judge.conventions import arguments, turned
from grader.model import (
    Array,
    Difference,
    FailingCase,
    Finding,
    FunctionSpec,
    Outcome,
    Returned,
    Status,
    StepReport,
    Trace,
    Variant,
)
from grader.sandbox.endings import finding as ending_finding
from grader.trace import pipelines, run, to_arrays

STATUS_OF_ENDING: Mapping[str, Status] = {
    "not-written": "not-written",
    "timeout": "stopped",
    "memory": "stopped",
    "output-limit": "stopped",
}
"""What an ending makes of a step; every other ending is a crash."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The marks of one function, the smallest failing case, and how it ended if not by a return.

    `blamed` is the place of the step that goes wrong earliest, `wrong` names the cases with wrong values.
    """

    steps: tuple[StepReport, ...]
    failing: FailingCase | None
    ending: Status | None
    reason: str | None
    blamed: int = 0
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Case:
    """One case judged: its inputs, the right trace, what came back in canonical form, and how it differs."""

    name: str
    inputs: Mapping[str, Array]
    right: Trace
    outcome: Outcome
    values: tuple[Array, ...] | None
    differences: tuple[Difference | None, ...]


def judge(variant: Variant, outcomes: Sequence[Outcome]) -> Judged:
    """Mark every returned value over the cases; its points are shared evenly by them.

    Outcomes hold values in the template's own convention (see `conventions.canonical`).
    """
    spec = variant.template.function
    assert spec is not None  # noqa: S101 -- the caller judges function exercises only
    cases = [_case(variant, spec, place, outcome) for place, outcome in enumerate(outcomes)]
    ended = _ended(cases, spec)
    failing = _smallest_failing(variant, spec, cases)
    findings = [ended[1]] if ended else []
    findings += [_changed(spec, cases)] if any(case.outcome.inputs_changed for case in cases) else []
    steps = [_step(spec.returns[place], place, cases, ended) for place in _in_order(variant, spec)]
    blamed = _blamed(steps, [_differs(cases, place) for place in _in_order(variant, spec)])
    steps[blamed] = replace(steps[blamed], findings=(*findings, *steps[blamed].findings))
    status, reason = (ended[0], ended[2]) if ended else (None, None)
    wrong = tuple(case.name for case in cases if any(case.differences))
    return Judged(tuple(steps), failing, status, reason, blamed, wrong)


def _blamed(steps: Sequence[StepReport], differs: Sequence[bool]) -> int:
    """The first step with a wrong value; if there is none, the first that is wrong for stopping, or is not right."""
    places = range(len(steps))
    wrong = [place for place in places if differs[place]] + [at for at in places if steps[at].status == "wrong"]
    return next(iter([*wrong, *(place for place in places if steps[place].status != "right")]), 0)


def _differs(cases: Sequence[_Case], place: int) -> bool:
    return any(case.values is not None and case.differences[place] is not None for case in cases)


def _in_order(variant: Variant, spec: FunctionSpec) -> list[int]:
    """The returned values as the pipeline computes them, so that the first that differs is the one to look at."""
    order = [step.name for step in pipelines()[variant.template.pipeline].steps]
    return sorted(range(len(spec.returns)), key=lambda place: order.index(spec.returns[place].step))


def compare(returned: Returned, want: Array, got: Array) -> Difference | None:
    """How one returned value differs from the wanted one: shape, then kind, then finite, then value."""
    if got.shape != want.shape:
        return Difference(returned.step, "shape", (), want.shape, got.shape)
    if (got.dtype.kind != "b") if returned.dtype == "bool" else (got.dtype.kind not in "iuf"):
        return Difference(returned.step, "dtype", (), want.shape, got.shape)
    if not np.array_equal(np.isfinite(want), np.isfinite(got)):
        places = np.argwhere(np.isfinite(want) != np.isfinite(got))
        return Difference(returned.step, "not-finite", tuple(tuple(map(int, place)) for place in places))
    if close(want, got):
        return None
    with np.errstate(invalid="ignore"):
        near = (want == got) | (
            np.abs(want.astype(np.float64) - got.astype(np.float64))
            <= CODE_TOLERANCE * (1 + np.abs(want.astype(np.float64)))
        )
    return Difference(returned.step, "value", tuple(tuple(map(int, place)) for place in np.argwhere(~near)))


def _case(variant: Variant, spec: FunctionSpec, place: int, outcome: Outcome) -> _Case:
    case = variant.cases[place]
    inputs = to_arrays(case.inputs)
    right = run(pipelines()[variant.template.pipeline], inputs)
    if outcome.ending != "returned":
        return _Case(case.name, inputs, right, outcome, None, ())
    values = outcome.values
    differences = tuple(
        compare(returned, right[returned.step], value) for returned, value in zip(spec.returns, values, strict=True)
    )
    return _Case(case.name, inputs, right, outcome, values, differences)


def _step(
    returned: Returned, place: int, cases: Sequence[_Case], ended: tuple[Status, Finding, str] | None
) -> StepReport:
    passed = sum(case.values is not None and case.differences[place] is None for case in cases)
    points = returned.points * Fraction(passed, len(cases))
    if passed == len(cases):
        return StepReport(returned.name, "right", points, returned.points)
    differs = _differs(cases, place)
    status: Status = "wrong" if differs or ended is None or (passed and ended[0] == "not-written") else ended[0]
    numbers = {"passed": passed, "total": len(cases), "returned": returned.name}
    counted = Finding("cases-passed" if status == "wrong" else "right-where-reached", numbers)
    first = next((case for case in cases if case.values is not None and case.differences[place]), None)
    about = _difference_finding(returned, place, first) if first else ()
    findings = (*about, counted) if differs or passed else ()
    return StepReport(returned.name, status, points, returned.points, findings)


def _difference_finding(returned: Returned, place: int, case: _Case) -> tuple[Finding, ...]:
    difference = case.differences[place]
    if difference is None or case.values is None:
        return ()
    numbers = {"returned": returned.name, "case": case.name, "count": len(difference.cells)}
    if difference.kind == "shape":
        shapes = {"got": str(difference.actual_shape), "wanted": str(difference.expected_shape)}
        turned_right = _is_turned(case.right[returned.step], case.values[place])
        return (Finding("returned-shape-transposed" if turned_right else "returned-shape", numbers | shapes),)
    if difference.kind == "dtype":
        value = case.values[place]
        code = "returned-complex" if value.dtype.kind == "c" and _is_right_but_complex(case, returned, value) else None
        return (Finding(code or "returned-dtype", numbers | {"got": str(value.dtype), "wanted": returned.dtype}),)
    if difference.kind == "value":
        return ()  # the smallest failing case shows it
    numbers |= {"total": int(case.right[returned.step].size), "cell": str(list(difference.cells[0]))}
    return (Finding("returned-not-finite", numbers),)


def _is_right_but_complex(case: _Case, returned: Returned, value: Array) -> bool:
    return not value.imag.any() and compare(returned, case.right[returned.step], value.real) is None


def _is_turned(want: Array, got: Array) -> bool:
    """Whether rows and columns have changed places, and nothing else is wrong."""
    return min(want.ndim, got.ndim) > 1 and close(want, np.swapaxes(got, -1, -2))


def _ended(cases: Sequence[_Case], spec: FunctionSpec) -> tuple[Status, Finding, str] | None:
    """The most frequent ending other than a return: the status it makes, its finding, its name."""
    ended = [case for case in cases if case.values is None]
    if not ended:
        return None
    ending, count = Counter(case.outcome.ending for case in ended).most_common(1)[0]
    outcome = next(case for case in ended if case.outcome.ending == ending).outcome
    finding = ending_finding(outcome, spec.name)
    status: Status = STATUS_OF_ENDING.get(ending, "crashed") if count else "crashed"
    return status, finding, ending


def _changed(spec: FunctionSpec, cases: Sequence[_Case]) -> Finding:
    case = next(case for case in cases if case.outcome.inputs_changed)
    names = [spec.parameters[place].name for place in case.outcome.inputs_changed]
    return Finding("inputs-changed", {"arguments": ", ".join(names), "function": spec.name}, ("mutates_input",))


def _smallest_failing(variant: Variant, spec: FunctionSpec, cases: Sequence[_Case]) -> FailingCase | None:
    """The failing case with the fewest numbers, in the learner's own convention, at the value that differs first."""
    conventions = variant.chosen.get("conventions", {})
    place = next((place for place in _in_order(variant, spec) if _differs(cases, place)), None)
    if place is None:
        return None
    wrong = (case for case in cases if case.values is not None and case.differences[place])
    case = min(wrong, key=lambda one: sum(array.size for array in one.inputs.values()))
    returned = spec.returns[place]
    handed = arguments(spec, conventions, case.inputs)
    shown = {
        parameter.name: None if value is None else np.asarray(value)
        for parameter, value in zip(spec.parameters, handed, strict=True)
    }
    right = tuple(case.right[one.step] for one in spec.returns)
    assert case.values is not None  # noqa: S101 -- chosen above
    yours, wanted = (turned(spec, conventions, values)[place] for values in (case.values, right))
    return FailingCase(case.name, returned.name, shown, yours, wanted)
