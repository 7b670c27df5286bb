"""Mark a class: every student's folder, each on its own; one that is broken is named and the rest goes on."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from grader.course import lock as locks
from grader.errors import BadInput
from grader.judge import score
from grader.mark import Marker, broken
from grader.model import Batch, ProblemStatus, Report, SubmittedFile, Variant
from grader.worksheet.collect import collect


@dataclass(frozen=True, slots=True)
class Marked:
    """One student marked: id, name, reports, and why the folder as a whole could not be used."""

    id: str
    name: str
    batch: Batch
    fault: BadInput | None = None


def find_lock(folder: Path) -> Path | None:
    """The lock of a class: in the folder, or beside it."""
    return next((path for path in (folder / locks.NAME, folder.parent / locks.NAME) if path.is_file()), None)


def is_class(folder: Path) -> bool:
    """Whether a folder is a class: its lock stands in it, or only its sub-folders hold exercises."""
    if not folder.is_dir():
        return False
    if (folder / locks.NAME).is_file():
        return True
    return not _holds_exercises(folder) and any(_holds_exercises(one) for one in _folders(folder))


def run(folder: Path, lock: locks.Lock | None, marker: Marker) -> Iterator[Marked]:
    """Every student, in the roster's order, then folders that no roster names."""
    there = {one.name: one for one in _folders(folder)}
    for student in lock.students if lock else ():
        yield _student(student, there.pop(student.id, None), marker)
    for name, path in sorted(there.items()):
        if lock is not None:
            fault = BadInput("student-not-in-roster", file=path, student=name)
            yield Marked(name, "", Batch((), name), fault)
        else:
            yield _unlocked(name, path, marker)


def table(marked: Sequence[Marked], say: Callable[[Exception], str]) -> str:
    """The marks as CSV: one row a student, one column a problem, points as decimals, and what went wrong."""
    problems = list(
        dict.fromkeys(report.problem for one in marked for report in one.batch.reports if report.max_points)
    )
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["id", "name", *problems, "points", "max_points", "note"])
    for one in marked:
        by_problem = {report.problem: report for report in one.batch.reports}
        cells = [_points(by_problem.get(name)) for name in problems]
        total = sum((report.points for report in one.batch.reports), Fraction(0))
        highest = sum((report.max_points for report in one.batch.reports), Fraction(0))
        row = [one.id, one.name, *cells, _decimal(total), _decimal(highest), _note(one, say)]
        writer.writerow([_safe(cell) for cell in row])
    return out.getvalue()


def _student(student: locks.LockedStudent, folder: Path | None, marker: Marker) -> Marked:
    if folder is None:
        fault = BadInput("nothing-handed-in", student=student.id)
        return Marked(student.id, student.name, Batch(tuple(map(_missing, student.problems)), student.id), fault)
    try:
        submission = collect(folder)
    except BadInput as fault:
        return Marked(student.id, student.name, Batch(tuple(map(_missing, student.problems)), student.id), fault)
    by_problem = _by_problem(submission.files)
    reports = [_locked(locked, by_problem.get(locked.template, []), marker) for locked in student.problems]
    known = {locked.template for locked in student.problems}
    strays = [
        broken(BadInput("not-in-set", file=file.path), file)
        for name, files in by_problem.items()
        if name not in known
        for file in files
    ]
    faults = [broken(fault) for fault in submission.faults]
    return Marked(student.id, student.name, Batch((*reports, *strays, *faults), student.id))


def _locked(locked: locks.Locked, files: Sequence[SubmittedFile], marker: Marker) -> Report:
    """One problem of one student. The lock, not the file, says which variant is marked."""
    if not files:
        return _missing(locked)
    if len(files) > 1:
        names = [file.path.name for file in files]
        return _without_points(locked, BadInput("handed-in-twice", file=files[0].path, files=names), files[0])
    file = files[0]
    if file.token is not None and file.token != locked.token:
        return _without_points(locked, BadInput("another-variant", file=file.path, read=file.token), file)
    report = marker.file(file, find=lambda _: locks.variant(locked, marker.roots))
    if report.fault is not None:
        return _without_points(locked, report.fault, file)
    return score.scaled(report, locked.points) if locked.points is not None else report


def _missing(locked: locks.Locked) -> Report:
    return _without_points(locked, None, None)


def _without_points(locked: locks.Locked, fault: Exception | None, file: SubmittedFile | None) -> Report:
    variant = locks.variant(locked)
    highest = locked.points if locked.points is not None else _max_points(variant)
    status: ProblemStatus = "unreadable" if fault else "blank"
    path = file.path if file else None
    title = variant.template.title
    reason = None if fault else "not-handed-in"
    return Report(locked.template, path, locked.token, title, status, Fraction(0), highest, reason=reason, fault=fault)


def _max_points(variant: Variant) -> Fraction:
    function = variant.template.function
    parts = [one.points for one in (function.returns if function else variant.blanks)]
    return sum(parts, Fraction(0))


def _unlocked(name: str, folder: Path, marker: Marker) -> Marked:
    try:
        return Marked(name, "", Batch(tuple(marker.submission(collect(folder))), name))
    except BadInput as fault:
        return Marked(name, "", Batch((), name), fault)


def _by_problem(files: Iterable[SubmittedFile]) -> Mapping[str, list[SubmittedFile]]:
    found: dict[str, list[SubmittedFile]] = {}
    for file in files:
        found.setdefault(file.problem or file.path.name, []).append(file)
    return found


def _folders(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if one.is_dir() and not one.name.startswith("."))


def _holds_exercises(folder: Path) -> bool:
    return any(one.suffix in {".md", ".py"} and one.name[:1].isdigit() for one in folder.iterdir() if one.is_file())


def _points(report: Report | None) -> str:
    return "" if report is None else _decimal(report.points)


def _decimal(points: Fraction) -> str:
    return f"{float(points):.4f}".rstrip("0").rstrip(".")


def _note(one: Marked, say: Callable[[Exception], str]) -> str:
    faults = [one.fault] if one.fault else [report.fault for report in one.batch.reports if report.fault]
    return " | ".join(say(fault) for fault in faults if fault)


def _safe(cell: str) -> str:
    """Text that a spreadsheet would run as a formula gets an apostrophe before it."""
    return f"'{cell}" if cell[:1] in {"=", "+", "-", "@", "\t", "\r"} else cell
