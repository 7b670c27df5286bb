"""The proof that a variant is fair: every mistake that applies gives an answer apart from the right one.

What a small question cannot tell apart is no fault; it is written into the certificate and reported as alternatives.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader import trace
from grader.bank import plan
from grader.bank.entries import Unfair
from grader.judge import compare
from grader.model import Array, Blank, Case, Certificate, Gap, Template, Trace

APART = 4.0
"""How many tolerances lie at least between the right answer and each mistake's, at some blank."""
_ALIKE = 2.0  # one typed number can lie within a tolerance of two that are two tolerances apart
_CODE_TOLERANCE = 1e-6
_TYPED = ("numbers", "shape", "mask")

Wrong = Mapping[str, Mapping[str, Array] | None]
"""Mistake -> its trace, or `None` if it does not fit the shapes."""


@dataclass(frozen=True)
class Evidence:
    """What was computed for a proof: the blanks that are typed, the right trace, and each mistake's."""

    blanks: tuple[Blank, ...]
    right: Trace
    wrong: Wrong


def gather(template: Template, blanks: Iterable[Blank], right: Trace, given: Iterable[str]) -> Evidence:
    """The traces of all mistakes that people make by hand and that can show in this template's typed blanks."""
    typed = tuple(blank for blank in blanks if blank.kind in _TYPED)
    wanted = tuple(dict.fromkeys(str(blank.step) for blank in typed))
    names = frozenset(given)
    needed = plan.relevant(template.pipeline, names, wanted)
    inputs = {name: right[name] for name in names}
    wrong = {
        mistake.id: plan.run_wrong(template.pipeline, names, wanted, right, mistake)
        for mistake in trace.applicable(trace.pipelines()[template.pipeline], inputs, right)
        if mistake.made != "code" and any(step.name in needed for step in mistake.steps)
    }
    return Evidence(typed, right, wrong)


def certify(evidence: Evidence, unseen: Sequence[str]) -> Certificate:
    """The certificate of a variant, whatever it says; `check` decides whether that is fair."""
    gaps = {mistake: _gaps(evidence, other) for mistake, other in evidence.wrong.items()}
    hidden = tuple(mistake for mistake, row in gaps.items() if not max(row, default=0.0) > APART)
    shown = [mistake for mistake in gaps if mistake not in hidden and mistake not in unseen]
    return Certificate(tuple(gaps), _nearest(evidence.blanks, gaps, shown), alike(evidence, shown), hidden)


def check(certificate: Certificate, unseen: Sequence[str]) -> None:
    """`Unfair` if a mistake that the template does not declare unseen cannot be told from the right answer."""
    for mistake in certificate.hidden:
        if mistake not in unseen:
            raise Unfair("mistake-hidden", mistake)


def _gaps(evidence: Evidence, other: Mapping[str, Array] | None) -> list[float]:
    """How far a mistake is from the right answer at each blank, in tolerances."""
    if other is None:
        return [np.inf for _ in evidence.blanks]
    with np.errstate(all="ignore"):
        return [compare.gap(blank, evidence.right, other) for blank in evidence.blanks]


def _nearest(blanks: Iterable[Blank], gaps: Mapping[str, Sequence[float]], shown: Iterable[str]) -> tuple[Gap, ...]:
    """For each blank the mistake that comes nearest to the right answer without giving it."""
    rows = []
    for place, blank in enumerate(blanks):
        apart = [(gaps[mistake][place], mistake) for mistake in shown if gaps[mistake][place] > 0]
        if apart:
            distance, mistake = min(apart)
            rows.append(Gap(blank.name, mistake, float(distance)))
    return tuple(rows)


# --- mistakes that look the same ---------------------------------------------------------------------------------


def alike(evidence: Evidence, mistakes: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Groups of mistakes that give the same answer at every blank, as far as rounding lets anyone see."""
    by_shape: dict[tuple[object, ...], list[tuple[str, Array]]] = {}
    for mistake in mistakes:
        shape, values = _answers(evidence, evidence.wrong[mistake])
        by_shape.setdefault(shape, []).append((mistake, values))
    groups = [group for rows in by_shape.values() for group in _groups(rows)]
    return tuple(sorted(groups))


def _answers(evidence: Evidence, other: Mapping[str, Array] | None) -> tuple[tuple[object, ...], Array]:
    """Everything a mistake would type, in half units of the last decimal, with the shapes it would type it in."""
    if other is None:
        return ("raises",), np.zeros(0)
    shapes: list[object] = []
    parts = []
    for blank in evidence.blanks:
        try:
            array = compare.expected(blank, other)
        except (KeyError, IndexError):
            shapes.append("missing")
            continue
        shapes.append(array.shape)
        parts.append(array.astype(float).reshape(-1) / compare.half_unit(blank.decimals))
    return tuple(shapes), np.concatenate(parts) if parts else np.zeros(0)


def _groups(rows: Sequence[tuple[str, Array]]) -> list[tuple[str, ...]]:
    """The rows joined wherever two are closer than rounding shows; single ones are left out."""
    values = np.nan_to_num(np.array([value for _, value in rows]), nan=1e300, posinf=1e301, neginf=-1e301)
    close = (np.abs(values[:, None] - values[None]) <= _ALIKE).all(axis=-1)  # (mistakes, mistakes)
    left, found = dict(enumerate(name for name, _ in rows)), []
    while left:
        group, waiting = [], [next(iter(left))]
        while waiting:
            place = waiting.pop()
            if place in left:
                group.append(left.pop(place))
                waiting += np.flatnonzero(close[place]).tolist()
        found.append(tuple(sorted(group)))
    return [group for group in found if len(group) > 1]


# --- functions ---------------------------------------------------------------------------------------------------


def certify_function(template: Template, cases: Iterable[Case]) -> Certificate:
    """The certificate of a function exercise: which mistakes of code its cases do not show at any returned value."""
    if template.function is None:
        raise ValueError(template.id)
    steps = tuple(dict.fromkeys(returned.step for returned in template.function.returns))
    best: dict[str, float] = {}
    for case in cases:
        for mistake, distance in _case_gaps(template.pipeline, steps, case, best):
            best[mistake] = max(best.get(mistake, 0.0), distance)
    gaps = [(distance, mistake) for mistake, distance in best.items() if distance > APART]
    nearest = tuple(Gap(template.function.name, mistake, distance) for distance, mistake in sorted(gaps)[:1])
    return Certificate(tuple(best), nearest, (), tuple(one for one, distance in best.items() if not distance > APART))


def _case_gaps(
    pipeline: str, steps: tuple[str, ...], case: Case, best: Mapping[str, float]
) -> Iterable[tuple[str, float]]:
    """How far each mistake that no earlier case has shown is from the right values in this case."""
    inputs = trace.to_arrays(case.inputs)
    right = trace.run(trace.pipelines()[pipeline], inputs)
    given = frozenset(inputs)
    needed = plan.relevant(pipeline, given, steps)
    for mistake in trace.applicable(trace.pipelines()[pipeline], inputs, right):
        if mistake.made == "hand" or not any(step.name in needed for step in mistake.steps):
            continue
        if best.get(mistake.id, 0.0) <= APART:
            other = plan.run_wrong(pipeline, given, steps, right, mistake)
            yield (
                mistake.id,
                np.inf if other is None else max(_distance(right[step], other.get(step)) for step in steps),
            )


def _distance(want: Array, got: Array | None) -> float:
    """The distance of a returned array in tolerances, relative to its size as code is compared."""
    if got is None or got.shape != want.shape or (want.dtype.kind == "b") != (got.dtype.kind == "b"):
        return np.inf
    if want.dtype.kind == "b":
        return 0.0 if np.array_equal(want, got) else np.inf
    with np.errstate(all="ignore"):
        distance = np.where(want == got, 0.0, np.abs(want - got) / (_CODE_TOLERANCE * (1 + np.abs(want))))
    return float(np.where(np.isnan(distance), np.inf, distance).max(initial=0.0))
