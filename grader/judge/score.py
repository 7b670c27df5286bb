"""Points and statuses of a problem from those of its steps; exact fractions throughout."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from grader.judge.function import Judged
from grader.model import ProblemStatus, Report, StepReport, Template, Variant


def worth(template: Template) -> Fraction:
    """What a problem is worth where nothing else is said."""
    parts = template.function.returns if template.function else template.ask
    return sum((part.points for part in parts), Fraction(0))


def worksheet(variant: Variant, steps: Sequence[StepReport]) -> Report:
    """The report of one worksheet; who read it adds the file and the token."""
    status, reason = _status(steps)
    return _report(variant, tuple(steps), status, reason)


def function(variant: Variant, judged: Judged) -> Report:
    """The report of one function exercise; the sandbox's level and output are added by who ran it."""
    steps = judged.steps
    if all(step.status == "right" for step in steps):
        status: ProblemStatus = "right"
    elif judged.ending == "not-written" and not any(step.points for step in steps):
        status = "blank"
    elif judged.ending in {"crashed", "stopped"} and not any(step.status == "wrong" for step in steps):
        status = "crashed" if judged.ending == "crashed" else "stopped"
    else:
        status = "wrong"
    report = _report(variant, steps, status, judged.reason)
    return replace(report, failing=judged.failing)


def scaled(report: Report, max_points: Fraction) -> Report:
    """The same report worth `max_points`, as a set may ask; the parts still add up exactly."""
    if not report.max_points or report.max_points == max_points:
        return report
    factor = max_points / report.max_points
    steps = tuple(
        replace(step, points=step.points * factor, max_points=step.max_points * factor) for step in report.steps
    )
    return replace(report, points=report.points * factor, max_points=max_points, steps=steps)


def _report(variant: Variant, steps: tuple[StepReport, ...], status: ProblemStatus, reason: str | None) -> Report:
    points = sum((step.points for step in steps), Fraction(0))
    highest = sum((step.max_points for step in steps), Fraction(0))
    title = variant.template.title
    return Report(
        variant.template.id,
        None,
        None,
        title,
        status,
        points,
        highest,
        steps,
        reason=reason,
        difficulty=variant.template.difficulty,
    )


def _status(steps: Sequence[StepReport]) -> tuple[ProblemStatus, str | None]:
    """The worst of the steps: wrong, then unreadable; blank only if all of it is, else it is unfinished."""
    statuses = {step.status for step in steps}
    if statuses <= {"right"}:
        return "right", None
    if statuses == {"blank"}:
        return "blank", None
    if "wrong" in statuses:
        return "wrong", None
    if "unreadable" in statuses:
        return "unreadable", None
    return "wrong", "unfinished" if "blank" in statuses else "imprecise"
