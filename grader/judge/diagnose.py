"""What is said about a wrong function beside its marks: which mistakes it makes, and what else was found out.

The marks are fixed before anything here runs, and nothing here changes them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from grader.judge import alone as calls
from grader.judge import habits, laws, naming, probes, smallest
from grader.judge.function import Judged, judge
from grader.judge.index import Index
from grader.judge.seen import Seen, Shelf, exercise
from grader.model import AskAgain, FailingCase, Finding, Outcome, Variant
from grader.trace import to_arrays

_SILENT: Final = frozenset({"timeout", "memory", "output-limit", "exit", "signal", "wrong-return"})
"""Endings in every case after which asking again would cost time and tell nothing."""
_NEVER_RAN: Final = frozenset({"not-written", "syntax-error", "import-error", "missing-function"})

_remembered: dict[str, Index] = {}


def remember(key: str, build: Callable[[], Index]) -> Index:
    """The shelf of this process alone."""
    if key not in _remembered:
        _remembered[key] = build()
    return _remembered[key]


def function(  # noqa: PLR0913, PLR0917 -- what was seen, and the ways to see more
    variant: Variant,
    judged: Judged,
    outcomes: Sequence[Outcome],
    ask: AskAgain,
    shelf: Shelf = remember,
    alone: AskAgain | None = None,
) -> Judged:
    """The same marks with what explains them. A right function is not run again, and one that never ran neither.

    `alone` asks as well, each time in a fresh process. If it gives other values, what `ask` gives explains nothing: all
    that is said is what shows in fresh processes, and that calls leave something behind.
    """
    endings = {outcome.ending for outcome in outcomes}
    if all(step.status == "right" for step in judged.steps) or endings <= _SILENT or endings & _NEVER_RAN:
        return judged
    if alone is None or endings & _SILENT:
        return _told(judged, *_explained(variant, judged, outcomes, ask, shelf))
    wrong = [place for place, outcome in enumerate(outcomes) if _is_wrong(variant, judged, place, outcome)]
    fresh = calls.outcomes(variant, outcomes, wrong, ask, alone)
    if fresh is not None:
        return _remembering(variant, judged, fresh, alone, shelf)
    return _told(judged, *_explained(variant, judged, outcomes, ask, shelf, alone))


def _is_wrong(variant: Variant, judged: Judged, place: int, outcome: Outcome) -> bool:
    return outcome.ending != "returned" or variant.cases[place].name in judged.wrong


def _remembering(variant: Variant, judged: Judged, fresh: Sequence[Outcome], alone: AskAgain, shelf: Shelf) -> Judged:
    """The same marks of a function whose calls leave something behind, explained by what fresh processes give."""
    again = judge(variant, fresh)
    if all(step.status == "right" for step in again.steps):
        return _with(replace(judged, failing=None), calls.finding(variant, calls.RIGHT), first=True)
    told = _told(judged, *_explained(variant, again, fresh, alone, shelf))
    return _with(told, calls.finding(variant, calls.REMEMBERS))


def _explained(  # noqa: PLR0913, PLR0917 -- as above
    variant: Variant,
    judged: Judged,
    outcomes: Sequence[Outcome],
    ask: AskAgain,
    shelf: Shelf,
    alone: AskAgain | None = None,
) -> tuple[Finding | None, FailingCase | None]:
    """The mistakes that were made, or the law that is broken; and the smallest failing case."""
    endings = {outcome.ending for outcome in outcomes}
    strange = _is_complex(outcomes)
    named = None if strange else _named(variant, outcomes, ask, shelf)
    failing = judged.failing
    if "returned" in endings and not endings & _SILENT:
        failing = smallest.failing(variant, ask, failing, alone)
    if named is not None or strange or "returned" not in endings or not judged.wrong:
        return named, failing  # if what it returned is right, the rest ended otherwise, and that is said
    law = None if endings & _SILENT else laws.broken(variant, ask)
    return law or _not_explained(variant, judged, outcomes), failing


def _told(judged: Judged, found: Finding | None, failing: FailingCase | None) -> Judged:
    judged = replace(judged, failing=failing)
    return judged if found is None else _with(judged, found, first=True)


def _is_complex(outcomes: Sequence[Outcome]) -> bool:
    """Whether complex numbers came back: the marks say so, and mistakes and laws are about real ones."""
    return any(value.dtype.kind == "c" for outcome in outcomes for value in outcome.values)


def alone(variant: Variant, judged: Judged, ask_first: AskAgain) -> Judged:
    """The same marks of a function that gave back one value where more are wanted: whether that is the right one.

    `ask_first` takes it for the first.
    """
    found = habits.only_the_first(variant, ask_first)
    return judged if found is None else _with(judged, found, first=True)


def _named(variant: Variant, outcomes: Sequence[Outcome], ask: AskAgain, shelf: Shelf) -> Finding | None:
    """The mistakes that give everything the submission gives.

    That it stops over an array that cannot be written to, or that has no room for decimals, is no value that a set must
    give: these are mistakes of their own, which cost nothing.
    """
    made = exercise(variant.template, probes.of(variant))
    asked = ask([probe.inputs for probe in probes.of(variant)])
    both = zip(probes.of(variant), asked, strict=True)
    told = [(probe, got) for probe, got in both if not probe.is_read_only and got.error != habits.REFUSED]
    tried = [probe for probe, _ in told]
    seen = [Seen(made.on(probe), got, probe.tolerance) for probe, got in told]
    graded = [made.ground(to_arrays(case.inputs)) for case in variant.cases]
    seen += [Seen(ground, outcome) for ground, outcome in zip(graded, outcomes, strict=True)]
    return naming.name(naming.Naming(made, variant, tried, seen, ask, shelf))


def _not_explained(variant: Variant, judged: Judged, outcomes: Sequence[Outcome]) -> Finding:
    spec = variant.template.function
    assert spec is not None  # noqa: S101 -- a function was judged
    numbers = {"function": spec.name, "cases": list(judged.wrong), "total": len(variant.cases)}
    stopped = sum(outcome.ending != "returned" for outcome in outcomes)
    if stopped:
        return Finding("not-explained-stopped", {**numbers, "stopped": stopped})
    return Finding("not-explained", numbers)


def _with(judged: Judged, finding: Finding, *, first: bool = False) -> Judged:
    """The finding at the step that goes wrong earliest."""
    steps = list(judged.steps)
    at = steps[judged.blamed]
    found = (finding, *at.findings) if first else (*at.findings, finding)
    steps[judged.blamed] = replace(at, findings=found)
    return replace(judged, steps=tuple(steps))
