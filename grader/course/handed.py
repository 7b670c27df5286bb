"""What one student handed in, sorted by problem: renamed, in sub-folders, twice, or broken, nothing is lost."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import BadInput
from grader.model import Report, Submission, SubmittedFile
from grader.worksheet.collect import everything

_NAME = re.compile(r"(?:\d+[_\- ]*)?([a-z][a-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Handed:
    """The files of one problem, and the faults of those that cannot be used."""

    files: list[SubmittedFile] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)


def sort(paths: Sequence[Path], problems: Collection[str]) -> Mapping[str, Handed]:
    """Everything below some folders and in archives by the problem it is for; by the file's name if that is not told.

    What came in several pieces is taken together. `BadInput` if there is nothing at all.
    """
    parts = [_part(path) for path in paths]
    files = [file for one in parts for file in one.files]
    faults = [fault for one in parts for fault in one.faults]
    if not files and not faults:
        raise BadInput("folder-empty", file=paths[0])
    found: dict[str, Handed] = {}
    for file in files:
        name = file.problem or named_by(file.path, problems)
        found.setdefault(name, Handed()).files.append(file)
    for fault in faults:
        found.setdefault(named_by(getattr(fault, "file", None), problems), Handed()).faults.append(fault)
    return found


def _part(path: Path) -> Submission:
    """One folder or archive. That the whole of it cannot be used is a fault beside what else there is."""
    try:
        return everything(path)
    except OSError as error:
        return Submission((), (BadInput("file-unreadable", file=path, reason=error.strerror or ""),))


def one_of(
    files: Sequence[SubmittedFile], mark: Callable[[SubmittedFile], Report]
) -> tuple[Report | BadInput, list[Exception]]:
    """The report of a problem handed in once or more, and the faults of files beside it that cannot be used.

    Copies and blank ones do not count; two answers are refused.
    """
    distinct = list({file.source: file for file in reversed(files)}.values())[::-1]
    reports = [mark(file) for file in distinct]
    answered = [report for report in reports if report.fault is None and report.status != "blank"]
    unusable = [report for report in reports if report.fault is not None]
    if len(answered) > 1:
        names = _apart([report.file for report in answered if report.file is not None])
        return BadInput("handed-in-twice", file=distinct[0].path, files=names), _faults(unusable)
    chosen = (answered or unusable or reports)[0]
    return chosen, _faults(report for report in unusable if report is not chosen)


def _faults(reports: Iterable[Report]) -> list[Exception]:
    return [report.fault for report in reports if report.fault is not None]


def _apart(paths: Sequence[Path]) -> list[str]:
    """The paths from the folder on in which all of them are."""
    top = os.path.commonpath([path.parent for path in paths])
    return [path.relative_to(top).as_posix() for path in paths]


def named_by(path: Path | None, problems: Collection[str]) -> str:
    """The problem that a file's name tells, as in `07_two_scores (1).md`; the name itself if it tells none."""
    if path is None:
        return ""
    match = _NAME.match(path.name.partition(".")[0].lower())
    fitting = [name for name in problems if match and match[1].startswith(name)]
    return max(fitting, key=len, default=path.name)
