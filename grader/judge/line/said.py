"""What is said about the line of a wrong function, beside marks that are fixed already."""

from collections.abc import Sequence
from dataclasses import replace

from grader.errors import GradeError
from grader.judge.function import Judged
from grader.judge.line import Found, Record, changes, find
from grader.model import Finding, Outcome, Variant

SPOILT = (ArithmeticError, LookupError, MemoryError, TypeError, ValueError)
"""What a recording that a submission has tampered with may lead to; there is no advice then."""
CODES = {
    "omitted": "line-missing",
    "omitted-here": "line-missing",
    "skipped": "line-missing",
    "even-so": "line-even-so",
    "dead": "line-thrown-away",
    "unused": "line-unused",
    "elsewhere": "line-elsewhere",
    "inner": "line-on-the-way",
    "axis": "line-number",
    "width": "line-number",
    "factor": "line-number",
    "start": "line-start",
    "condition": "line-condition",
    "handed": "line-handed",
    "this-call": "line-handed",
    "turned": "line-turned",
    "part-of": "line-part",
    "order": "line-order",
    "loop-short": "line-loop-short",
    "loop-long": "line-loop-long",
    "loop-other": "line-loop-other",
    "early": "line-early",
    "unset": "line-unset",
    "whole-numbers": "line-whole-numbers",
    "kind": "line-kind",
    "shape": "line-shape",
    "aliased": "line-aliased",
    "cut": "line-cut",
    "limit": "line-limit",
    "number-alone": "line-number-alone",
    "handed-number": "line-handed-number",
    "closed": "line-closed",
    "jump": "line-jump",
    "behind": "line-behind",
    "restarted": "line-restarted",
}


def located(variant: Variant, judged: Judged, outcomes: Sequence[Outcome], source: str, record: Record) -> Judged:
    """The same marks with the line where it goes wrong, if a result is wrong and its line is found.

    A function that only crashes has the line of its error already. A failure of our own is no reason to lose a mark.
    """
    if not judged.wrong or all(outcome.ending != "returned" for outcome in outcomes):
        return judged
    try:
        found = find(variant, source, record)
    except (GradeError, *SPOILT):
        return judged
    if found is None:
        return judged
    several = any(len(one.mistakes) > 1 for one in judged.steps[judged.blamed].findings)
    if several and found.confidence == "low":
        return judged  # one of several is on the way to nearly every step
    said = finding(found, source)
    if several:
        said = replace(said, code="line-of-several" if found.step else "line-one-of-several")
    return _with(judged, said)


def changed(variant: Variant, judged: Judged, source: str, record: Record) -> Judged:
    """The same marks with the line that first changes what a right function was given, if it is found."""
    try:
        line = changes(variant, source, record)
    except (GradeError, *SPOILT):
        return judged
    if line is None:
        return judged
    numbers = {"line": line, "source": _text(source, line)}
    return _with(judged, Finding("line-changes", numbers, line=line))


def finding(found: Found, source: str) -> Finding:
    """The finding: the line, what stands there and the step it was meant to be; of low confidence the step alone."""
    if found.confidence == "low":
        return Finding("step-found", {"step": found.step})
    text = _text(source, found.line)
    numbers = {"line": found.line, "source": text, "expression": found.expression or text}
    step = "" if found.expression == found.step and found.reason not in CODES else found.step  # which would say nothing
    numbers |= {"step": step} if step else {}
    usual = "line-found" if step else "line-alone"
    return Finding(CODES.get(found.reason, usual), numbers, line=found.line)


def _text(source: str, line: int) -> str:
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _with(judged: Judged, found: Finding) -> Judged:
    """The finding behind the others at the step that goes wrong earliest."""
    steps = list(judged.steps)
    at = steps[judged.blamed]
    steps[judged.blamed] = replace(at, findings=(*at.findings, found))
    return replace(judged, steps=tuple(steps))
