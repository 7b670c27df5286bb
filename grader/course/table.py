"""The marks of a class as CSV that a spreadsheet opens: one row a student, one column a problem."""

import csv
import io
from collections.abc import Callable, Sequence
from fractions import Fraction

from grader.course.run import Marked
from grader.show.escape import escape

LONGEST = 4096
"""Characters of a cell; nobody reads more."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet would run."""


def table(marked: Sequence[Marked], say: Callable[[Exception], str]) -> str:
    """Points as decimals, what they are out of, and in the last column what went wrong."""
    problems = list(dict.fromkeys(one.problem for student in marked for one in student.batch.reports if one.max_points))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(map(_safe, ["id", "name", *problems, "points", "max_points", "note"]))
    writer.writerows([_safe(cell) for cell in _row(one, problems, say)] for one in marked)
    return out.getvalue()


def _row(one: Marked, problems: Sequence[str], say: Callable[[Exception], str]) -> list[str]:
    reports = {report.problem: report for report in reversed(one.batch.reports) if report.max_points}
    points = [_decimal(reports[name].points) if name in reports else "" for name in problems]
    gained = sum((report.points for report in reports.values()), Fraction(0))
    most = sum((report.max_points for report in reports.values()), Fraction(0))
    return [one.id, one.name, *points, _decimal(gained), _decimal(most), _note(one, say)]


def _decimal(points: Fraction) -> str:
    return f"{float(points):.4f}".rstrip("0").rstrip(".")


def _note(one: Marked, say: Callable[[Exception], str]) -> str:
    faults = [one.fault, *one.batch.notes, *(report.fault for report in one.batch.reports)]
    return " | ".join(say(fault).replace("\n", " ") for fault in faults if fault is not None)


def _safe(cell: str) -> str:
    """Text that a spreadsheet would run as a formula gets an apostrophe before it; what would steer is spelled out."""
    shown = escape(cell, LONGEST)
    return f"'{shown}" if cell.startswith(FORMULA) or shown.lstrip().startswith(FORMULA) else shown
