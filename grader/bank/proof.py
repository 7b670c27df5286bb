"""The proof that a variant is fair: every mistake that applies gives an answer apart from the right one.

What a small question cannot tell apart is no fault; it is written into the certificate and reported as alternatives.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grader import trace
from grader.bank import alike, fair, plan
from grader.bank.entries import Unfair
from grader.judge import compare
from grader.model import Array, Blank, Case, Certificate, Gap, Mistake, Template, Trace

APART = 4.0
"""How many tolerances lie at least between the right answer and each mistake's, at some blank."""
_CODE_TOLERANCE = 1e-6
_TYPED = ("numbers", "shape", "mask")


@dataclass(frozen=True)
class Wrong:
    """One way of making a mistake, and its trace; `None` if it does not fit the shapes."""

    mistake: str
    trace: Mapping[str, Array] | None


@dataclass(frozen=True)
class Evidence:
    """What was computed for a proof: the blanks that are typed, the right trace, and those of the mistakes."""

    blanks: tuple[Blank, ...]
    right: Trace
    wrong: tuple[Wrong, ...]

    @cached_property
    def gaps(self) -> Array:
        """How far each mistake is from the right answer at each blank, in tolerances: (ways, blanks)."""
        columns = [_gaps(blank, self.right, self.wrong) for blank in self.blanks]
        return np.array(columns).reshape(len(self.blanks), len(self.wrong)).T


def gather(template: Template, blanks: Iterable[Blank], right: Trace, given: Iterable[str]) -> Evidence:
    """The traces of all mistakes that people make by hand and that can show in this template's typed blanks."""
    typed = tuple(blank for blank in blanks if blank.kind in _TYPED)
    wanted = tuple(dict.fromkeys(str(blank.step) for blank in typed))
    names = frozenset(given)
    needed = plan.relevant(template.pipeline, names, wanted)
    inputs = {name: right[name] for name in names}
    wrong = (
        Wrong(mistake.id, plan.run_wrong(template.pipeline, names, wanted, right, mistake))
        for mistake in trace.applicable(trace.pipelines()[template.pipeline], inputs, right)
        if mistake.made != "code" and any(step.name in needed for step in mistake.steps)
    )
    return Evidence(typed, right, tuple(wrong))


def hidden(evidence: Evidence) -> tuple[str, ...]:
    """The mistakes that cannot be told from the right answer: some way of making them shows at no blank."""
    apart = np.any(evidence.gaps > APART, axis=1).tolist()  # (ways,)
    ways = zip(evidence.wrong, apart, strict=True)
    return tuple(dict.fromkeys(wrong.mistake for wrong, shows in ways if not shows))


def certify(evidence: Evidence, unseen: Collection[str]) -> Certificate:
    """The certificate of a variant, whatever it says."""
    hides = hidden(evidence)
    shown = [at for at, wrong in enumerate(evidence.wrong) if wrong.mistake not in {*hides, *unseen}]
    applied = tuple(dict.fromkeys(wrong.mistake for wrong in evidence.wrong))
    named = [(evidence.wrong[at].mistake, evidence.wrong[at].trace) for at in shown]
    groups = alike.groups(alike.pairs(evidence.blanks, named))
    return Certificate(applied, _nearest(evidence, shown), groups, hides)


def check(hides: Iterable[str], unseen: Collection[str]) -> None:
    """`Unfair` if a mistake that the template does not declare unseen cannot be told from the right answer."""
    for mistake in hides:
        if mistake not in unseen:
            raise Unfair("mistake-hidden", mistake)


def _gaps(blank: Blank, right: Trace, wrong: Sequence[Wrong]) -> Array:
    """How far each mistake is from the right answer at one blank, in tolerances; those of its shape all at once."""
    step, want = str(blank.step), compare.expected(blank, right)
    gaps = np.full(len(wrong), np.inf)  # (ways,)
    fitting: dict[int, Array] = {}
    for at, one in enumerate(wrong):
        if one.trace is not None and one.trace.get(step) is right[step]:  # the mistake comes later
            gaps[at] = 0.0
        elif (got := _answer(blank, one.trace)) is not None and got.shape == want.shape:
            fitting[at] = got
    if fitting:
        gaps[list(fitting)] = _gaps_of_shape(want, list(fitting.values()), blank)
    return gaps


def _answer(blank: Blank, wrong: Mapping[str, Array] | None) -> Array | None:
    try:
        return None if wrong is None else compare.expected(blank, wrong)
    except (KeyError, IndexError):
        return None


def _gaps_of_shape(want: Array, several: Sequence[Array], blank: Blank) -> Array:
    decimals = blank.decimals if blank.kind == "numbers" else 0
    if want.dtype.kind == "b" or any(got.dtype.kind == "b" for got in several):
        return np.array([compare.array_gap(want, got, decimals) for got in several])
    with np.errstate(all="ignore"):
        return compare.array_gaps(want, np.stack(several), decimals)


def _nearest(evidence: Evidence, shown: Sequence[int]) -> tuple[Gap, ...]:
    """For each blank the mistake that comes nearest to the right answer without giving it."""
    rows = []
    for blank, gaps in zip(evidence.blanks, evidence.gaps.T, strict=True):
        near = [(float(gaps[at]), evidence.wrong[at].mistake) for at in shown if gaps[at] > 0]
        if near:
            distance, mistake = min(near)
            rows.append(Gap(blank.name, mistake, distance))
    return tuple(rows)


# --- functions ---------------------------------------------------------------------------------------------------


def certify_function(template: Template, cases: Iterable[Case]) -> Certificate:
    """The certificate of a function exercise: which mistakes of code its cases do not show at any returned value."""
    if template.function is None:
        raise ValueError(template.id)
    steps = tuple(dict.fromkeys(returned.step for returned in template.function.returns))
    best: dict[Mistake, float] = {}
    for case in cases:
        for mistake, distance in _case_gaps(template.pipeline, steps, case, best):
            best[mistake] = max(best.get(mistake, 0.0), distance)
    shown = [(distance, mistake.id) for mistake, distance in best.items() if distance > APART]
    hidden = dict.fromkeys(mistake.id for mistake, distance in best.items() if not distance > APART)
    nearest = tuple(Gap(template.function.name, mistake, distance) for distance, mistake in sorted(shown)[:1])
    return Certificate(tuple(dict.fromkeys(mistake.id for mistake in best)), nearest, (), tuple(hidden))


def _case_gaps(
    pipeline: str, steps: tuple[str, ...], case: Case, best: Mapping[Mistake, float]
) -> Iterable[tuple[Mistake, float]]:
    """How far each mistake that no earlier case has shown is from the right values in this case."""
    inputs = trace.to_arrays(case.inputs)
    right = trace.run(trace.pipelines()[pipeline], inputs)
    fair.small(right)
    given = frozenset(inputs)
    needed = plan.relevant(pipeline, given, steps)
    for mistake in trace.applicable(trace.pipelines()[pipeline], inputs, right):
        if mistake.made == "hand" or not any(step.name in needed for step in mistake.steps):
            continue
        if best.get(mistake, 0.0) <= APART:
            other = plan.run_wrong(pipeline, given, steps, right, mistake)
            distances = [_distance(right[step], None if other is None else other.get(step)) for step in steps]
            yield mistake, max(distances)


def _distance(want: Array, got: Array | None) -> float:
    """The distance of a returned array in tolerances, relative to its size as code is compared."""
    if got is None or got.shape != want.shape or (want.dtype.kind == "b") != (got.dtype.kind == "b"):
        return np.inf
    if want.dtype.kind == "b":
        return 0.0 if np.array_equal(want, got) else np.inf
    with np.errstate(all="ignore"):
        distance = np.where(want == got, 0.0, np.abs(want - got) / (_CODE_TOLERANCE * (1 + np.abs(want))))
    return float(np.where(np.isnan(distance), np.inf, distance).max(initial=0.0))
