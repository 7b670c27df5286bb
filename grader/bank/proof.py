"""The proof that a variant is fair: every mistake that applies gives an answer apart from the right one.

What a small question cannot tell apart is no fault; it is written into the certificate and reported as alternatives.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from grader import trace
from grader.bank import alike, fair, plan
from grader.bank.entries import Unfair, canonical
from grader.judge import compare
from grader.model import Array, Blank, Case, Certificate, Gap, Mistake, Template, Tolerance, Trace

APART = 4.0
"""How many tolerances lie at least between the right answer and each mistake's, at some blank."""
_CODE_DIGITS = 6
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
    tolerances = tuple(_tolerance(blank, evidence.right) for blank in evidence.blanks)
    return Certificate(applied, _nearest(evidence, shown), groups, hides, tolerances)


def _tolerance(blank: Blank, right: Trace) -> Tolerance:
    """Half a unit of the last asked decimal; nothing where every cell is exact at these decimals, or no number."""
    cells = compare.expected(blank, right).reshape(-1)
    if blank.kind != "numbers" or all(_is_exact(float(cell), blank.decimals) for cell in cells):
        return Tolerance(blank.name, "0")
    return Tolerance(blank.name, canonical(Decimal(5).scaleb(-blank.decimals - 1)))


def _is_exact(cell: float, decimals: int) -> bool:
    return math.isinf(cell) or compare.exact(cell, decimals) is not None


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


Marks = dict[Mistake, tuple[tuple[str, bytes], ...]]
"""What each way of making a mistake has returned, case by case, where it was not what is right."""


def certify_function(template: Template, cases: Iterable[Case]) -> Certificate:
    """The certificate of a function exercise: which mistakes of code its cases show, and which they tell apart."""
    function = template.function
    if function is None:
        raise ValueError(template.id)
    steps = tuple(dict.fromkeys(returned.step for returned in function.returns))
    best: dict[Mistake, float] = {}
    marks: Marks = {}
    with np.errstate(all="ignore"):
        for case in cases:
            _in_case(template.pipeline, steps, case, best, marks)
    shown = [(distance, mistake.id) for mistake, distance in best.items() if distance > APART]
    hides = tuple(dict.fromkeys(mistake.id for mistake, distance in best.items() if not distance > APART))
    nearest = tuple(Gap(function.name, mistake, distance) for distance, mistake in sorted(shown)[:1])
    tolerances = tuple(
        Tolerance(one.name, "0" if one.dtype == "bool" else canonical(compare.CODE_TOLERANCE))
        for one in function.returns
    )
    applied = tuple(dict.fromkeys(mistake.id for mistake in best))
    groups = (tuple(sorted(ids - {*hides})) for ids in _alike(marks).values())
    alike_in_all = tuple(sorted(group for group in groups if len(group) > 1))
    return Certificate(applied, nearest, alike_in_all, hides, tolerances)


def _in_case(pipeline: str, steps: tuple[str, ...], case: Case, best: dict[Mistake, float], marks: Marks) -> None:
    """What one case shows of each mistake that earlier ones have not shown, or not told from all others."""
    inputs = trace.to_arrays(case.inputs)
    right = trace.run(trace.pipelines()[pipeline], inputs)
    fair.small(right)
    given = frozenset(inputs)
    needed, together, as_right = plan.relevant(pipeline, given, steps), _alike(marks), _mark(right, steps)
    for mistake in trace.possible(trace.pipelines()[pipeline], given, frozenset(right)):
        before = marks.get(mistake, ())
        if best.get(mistake, 0.0) > APART and len(together[before]) == 1:
            continue  # before anything else is looked at: most are settled by the first cases
        if mistake.made == "hand" or not any(step.name in needed for step in mistake.steps):
            continue
        if mistake.when is None or mistake.when(right):
            other = plan.run_wrong(pipeline, given, steps, right, mistake)
            if best.get(mistake, 0.0) <= APART:
                gaps = [_distance(right[step], None if other is None else other.get(step)) for step in steps]
                best[mistake] = max(best.get(mistake, 0.0), *gaps)
            mark = _mark(other, steps)
            marks[mistake] = before if mark == as_right else (*before, (case.name, mark))


def _alike(marks: Marks) -> Mapping[tuple[tuple[str, bytes], ...], set[str]]:
    """The mistakes that have returned the same so far."""
    together: dict[tuple[tuple[str, bytes], ...], set[str]] = {}
    for mistake, mark in marks.items():
        together.setdefault(mark, set()).add(mistake.id)
    return together


def _mark(wrong: Mapping[str, Array] | None, steps: Iterable[str]) -> bytes:
    """What was returned, to the tolerance, as bytes; nothing if it does not fit the shapes."""
    arrays = [] if wrong is None else [np.asarray(wrong[step]) for step in steps if step in wrong]
    rounded = [np.round(array.astype(float), _CODE_DIGITS) + 0.0 for array in arrays]  # + 0.0: no minus zero
    return b"".join(repr(array.shape).encode() + array.tobytes() for array in rounded)


def _distance(want: Array, got: Array | None) -> float:
    """The distance of a returned array in tolerances, relative to its size as code is compared."""
    if got is None or got.shape != want.shape or (want.dtype.kind == "b") != (got.dtype.kind == "b"):
        return np.inf
    if want.dtype.kind == "b":
        return 0.0 if np.array_equal(want, got) else np.inf
    apart = np.abs(want - got) / (compare.CODE_TOLERANCE * (1 + np.abs(want)))
    if not np.isfinite(want).all():
        apart = np.where(want == got, 0.0, apart)
    largest = float(apart.max(initial=0.0))
    return np.inf if math.isnan(largest) else largest
