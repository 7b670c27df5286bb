"""One mistake costs once, in code too: a function that is wrong only by what an earlier one was found to do wrong.

Whoever writes softmax over the wrong axis and calls it in attention has made one mistake. If the mistakes that explain
a function were all found in the learner's earlier functions, it keeps its points, and that is said. Another file of
the same problem is no earlier function: a copy of a wrong one is as wrong.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from grader.model import Finding, Report


def carried_from(finding: Finding, found: Mapping[str, Finding]) -> tuple[str, ...]:
    """The earlier problems whose findings together hold all mistakes of one explanation; nothing if none does."""
    if finding.code == "offered":
        return ()
    known = {name: problem for problem, one in reversed(list(found.items())) for name in _singly(one)}
    for mistakes in (finding.mistakes, *finding.alternatives):
        if mistakes and known.keys() >= set(mistakes):
            return tuple(dict.fromkeys(known[name] for name in mistakes))
    return ()


def carried(reports: Iterable[Report]) -> list[Report]:
    """The reports of one learner's files in order, each function's with the credit that earlier ones leave it."""
    out: list[Report] = []
    found: dict[str, Finding] = {}
    for report in reports:
        named = _named(report)
        others = {problem: one for problem, one in found.items() if problem != report.problem}
        earlier = carried_from(named, others) if named else ()
        out.append(_with_credit(report, earlier) if earlier else report)
        if named is not None and not earlier:
            found.setdefault(report.problem, named)
    return out


def _named(report: Report) -> Finding | None:
    """What names the mistakes that give a function's values: nothing offered, and no law; nothing for a worksheet."""
    if report.file is None or report.file.suffix != ".py":
        return None
    every = (finding for step in report.steps for finding in step.findings)
    return next((finding for finding in every if finding.code in {*finding.mistakes[:1], "several-mistakes"}), None)


def _singly(finding: Finding) -> Sequence[str]:
    """The mistakes that a finding blames: those of its explanation, and any that alone would explain it too."""
    return [*finding.mistakes, *(one for ids in finding.alternatives if len(ids) == 1 for one in ids)]


def _with_credit(report: Report, earlier: Sequence[str]) -> Report:
    said = Finding("carried-code", {"earlier": ", ".join(earlier)})
    steps = tuple(
        step
        if step.status == "right"
        else replace(step, status="carried", points=step.max_points, findings=(said, *step.findings))
        for step in report.steps
    )
    return replace(report, steps=steps, points=sum((step.points for step in steps), Fraction(0)), reason="carried")
