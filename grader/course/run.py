"""Mark a class: every student's folder, each on its own; one that is broken is named and the rest goes on."""

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import NamedTuple

from grader.bank import load, token
from grader.course import handed, lock_in
from grader.course import lock as locks
from grader.course.handed import Handed
from grader.errors import BadInput, GradeError
from grader.judge import score
from grader.judge.carry import carried
from grader.mark import Marker, broken
from grader.model import Batch, ProblemStatus, Report, SubmittedFile, Text
from grader.sandbox.pool import Pool
from grader.sandbox.run import Refused
from grader.worksheet.collect import DOCUMENTS, loose
from grader.worksheet.files import archive_stem, is_packed

FEW = 4  # students for each process
MOST_JOBS = 4
"""Processes for each processor. Each takes some 100 MB; more than one gain nothing but where it waits."""


class NotHandedIn(BadInput):
    """A student's folder is not there: worth a word, but no fault of a file."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Marked:
    """One student marked: id, name, reports, and why the folder as a whole could not be used.

    `by_lock` are the problems that were marked by the lock's own numbers because the bank draws others now. With
    `is_nobody` it is a folder that belongs to no student: told, but neither listed nor counted.
    """

    id: str
    name: str
    batch: Batch
    fault: GradeError | None = None
    by_lock: tuple[str, ...] = ()
    is_nobody: bool = False


@dataclass(frozen=True, slots=True)
class Class:
    """What a class is marked by: its folder, its lock, the marker, and the secret if it is at hand."""

    folder: Path
    marker: Marker
    lock: locks.Lock | None = None
    secret: bytes | None = None


def find_lock(folder: Path) -> Path | None:
    """The lock of a class: in the folder, or beside it."""
    return lock_in(folder) or lock_in(folder.parent)


def is_of(lock: locks.Lock, secret: bytes) -> bool:
    """Whether a secret is the one that a lock was made with: some token of it carries the secret's signature."""
    tokens = [locked.token for student in lock.students for locked in student.problems]
    return not tokens or any(_is_signed(word, secret) for word in tokens)


def students(folder: Path, lock: locks.Lock | None) -> int:
    """How many folders and students there are. `BadInput` if a folder has no students at all."""
    tasks = _tasks(folder, lock)
    if all(one.is_loose for one in tasks):
        raise BadInput("no-students", file=folder)
    return len(tasks)


def jobs_for(students: int, asked: int | None = None) -> int:
    """How many processes are worth starting: one for each processor, but none for a handful of students.

    If some number is asked for it is that, as long as each has a student, and no processor has more than a few.
    """
    most = min(processors(), students // FEW) if asked is None else min(asked, students, MOST_JOBS * processors())
    return max(1, most)


def processors() -> int:
    """How many processors there are for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(course: Class, jobs: int = 1) -> Iterator[Marked]:
    """Every student, in the roster's order, then folders that no roster names; shared by so many processes."""
    tasks = _tasks(course.folder, course.lock)
    if jobs == 1:
        with working(course) as one:
            yield from map(one, tasks)
        return
    with Pool("grader.course.run:working", course, jobs) as pool:
        for task, marked in zip(tasks, pool.map(tasks), strict=True):
            if isinstance(marked, Refused):
                raise marked
            yield marked if isinstance(marked, Marked) else Marked(*task.names, Batch((), task.names[0]), marked)


@contextmanager
def working(course: Class) -> Iterator[Callable[["Task"], Marked]]:
    """What marks one student after the other, in this process or in one of several."""
    given = _given(course.lock)
    with course.marker:
        yield lambda task: _one(course, task, given)


class Task(NamedTuple):
    """One student to mark: whom the lock names, if it does, and the folders and archives that were handed in."""

    student: locks.LockedStudent | None
    paths: tuple[Path, ...]
    name: str = ""
    is_loose: bool = False
    """Whether it is an exercise beside the students' folders, which could be anyone's."""

    @property
    def names(self) -> tuple[str, str]:
        """Id and name."""
        if self.student is not None:
            return self.student.id, self.student.name
        return self.name, ""


def _tasks(folder: Path, lock: locks.Lock | None) -> list[Task]:
    """Every student of the lock, then what no student is called like; upper and lower case count as the same."""
    beside = [Task(None, (path,), path.name, is_loose=True) for path in loose(folder)]
    if lock is None:
        there = _handed_in(folder)
        return [*(Task(None, there[name], name) for name in sorted(there)), *beside]
    there = _handed_in(folder, [one.id for one in lock.students])
    named = [Task(one, there.pop(one.id.casefold(), ())) for one in lock.students]
    others = [Task(None, (path,), path.name) for name in sorted(there) for path in there[name]]
    return [*named, *others, *beside]


def _one(course: Class, task: Task, given: dict[str, str]) -> Marked:
    name = task.names[0]
    if task.student is not None:
        return _student(course, task.student, task.paths, given)
    if course.lock is not None or task.is_loose:
        code = "file-of-nobody" if task.is_loose else "student-not-in-roster"
        nobody = BadInput(code, file=task.paths[0], student=name)
        return Marked(name, "", Batch((), name), nobody, is_nobody=True)
    return _unlocked(name, task.paths, course)


def _notes(name: str, paths: Sequence[Path]) -> tuple[BadInput, ...]:
    """That a student's work came in several pieces, which are taken together."""
    names = [f"{path.name}/" if path.is_dir() else path.name for path in paths]
    return (BadInput("handed-in-pieces", student=name, files=names),) if len(paths) > 1 else ()


# --- with a lock -------------------------------------------------------------------------------------------------


def _student(course: Class, student: locks.LockedStudent, paths: Sequence[Path], given: dict[str, str]) -> Marked:
    ids = [locked.template for locked in student.problems]
    fault: BadInput | None = None
    found: dict[str, Handed] = {}
    try:
        if not paths:
            raise NotHandedIn("nothing-handed-in", student=student.id)
        found = dict(handed.sort(paths, ids))
    except BadInput as why:
        fault = why
    reports, by_lock = [], []
    for locked in student.problems:
        report, differs = _problem(course, locked, found.pop(locked.template, Handed()), given)
        reports += report
        by_lock += [locked.template] if differs else []
    strays = [broken(BadInput("not-in-set", file=file.path), file) for one in found.values() for file in one.files]
    faults = [broken(fault) for one in found.values() for fault in one.faults]
    batch = Batch((*carried(reports), *strays, *faults), student.id, _notes(student.id, paths))
    return Marked(student.id, student.name, batch, fault, tuple(by_lock))


def _problem(course: Class, locked: locks.Locked, found: Handed, given: dict[str, str]) -> tuple[list[Report], bool]:
    """One problem of one student, worth what the lock says; and whether it was marked by the lock's own numbers."""
    try:
        rebuilt = locks.rebuild(locked, course.marker.roots)
    except BadInput as fault:
        return [_without_points(locked, fault, found.files[0] if found.files else None)], False
    if not found.files:
        first = found.faults[0] if found.faults else None
        return [_without_points(locked, first, None), *map(broken, found.faults[1:])], False
    report, beside = handed.one_of(found.files, partial(_marked, course, locked, rebuilt, given))
    if isinstance(report, BadInput):
        report = _without_points(locked, report, found.files[0])
    return [report, *map(broken, (*beside, *found.faults))], rebuilt.differs


def _marked(
    course: Class, locked: locks.Locked, rebuilt: locks.Rebuilt, given: dict[str, str], file: SubmittedFile
) -> Report:
    """One file. The lock, not the file, says which variant is marked; a file that names another is refused."""
    if file.token is not None and file.token != locked.token:
        return _without_points(locked, _another(course, file, given), file)
    unweighed = replace(file, points=None)  # what it is worth stands in the lock, whatever the file says
    report = course.marker.file(unweighed, find=lambda _: rebuilt.variant)
    if report.fault is not None:
        return _without_points(locked, report.fault, file)
    return replace(score.scaled(report, locked.points), variant=locked.token)


def _another(course: Class, file: SubmittedFile, given: dict[str, str]) -> BadInput:
    """Why another token stands in a file: it is a classmate's, or made up, or of other numbers of this course."""
    read = (file.token or "")[:80]
    if file.token in given:
        return BadInput("variant-of-classmate", file=file.path, student=given[file.token])
    if course.secret is not None and not _is_signed(file.token or "", course.secret):
        return BadInput("variant-forged", file=file.path, read=read)
    return BadInput("another-variant", file=file.path, read=read)


def _is_signed(word: str, secret: bytes) -> bool:
    try:
        return token.verify(token.parse(word), secret)
    except BadInput:
        return False


def _given(lock: locks.Lock | None) -> dict[str, str]:
    """Whose each token of the lock is."""
    return {locked.token: student.id for student in (lock.students if lock else ()) for locked in student.problems}


def _without_points(locked: locks.Locked, fault: Exception | None, file: SubmittedFile | None) -> Report:
    """A problem that was not handed in or cannot be marked: no points of what it is worth.

    If it is the grader's own fault, it is worth nothing until that is mended: nobody is charged.
    """
    is_ours = fault is not None and getattr(fault, "exit_code", 3) == 3  # noqa: PLR2004 -- the grader's own
    worth = Fraction(0) if is_ours else locked.points
    status: ProblemStatus = "refused" if _is_refused(fault) else "unreadable" if fault else "blank"
    path = file.path if file else getattr(fault, "file", None)
    reason = None if fault else "not-handed-in"
    title = Text(locked.template, locked.template)
    return Report(locked.template, path, locked.token, title, status, Fraction(0), worth, reason=reason, fault=fault)


def _is_refused(fault: Exception | None) -> bool:
    """Whether a file could be read well enough to be turned down."""
    return getattr(fault, "code", "") in {
        "handed-in-twice",
        "variant-of-classmate",
        "variant-forged",
        "another-variant",
    }


# --- without a lock ----------------------------------------------------------------------------------------------


def _unlocked(name: str, paths: Sequence[Path], course: Class) -> Marked:
    notes = _notes(name, paths)
    try:
        found = handed.sort(paths, ())
    except BadInput as fault:
        return Marked(name, "", Batch((), name, notes), fault)
    reports: list[Report] = []
    faults: list[Report] = []
    for one in found.values():
        if one.files:
            report, beside = handed.one_of(one.files, partial(_by_its_token, course))
            reports.append(_refused(report, one.files[0]) if isinstance(report, BadInput) else report)
            faults += map(broken, beside)
        faults += map(broken, one.faults)
    charged = _charged([*reports, *faults], course.marker)
    return Marked(name, "", Batch(tuple(carried(charged)), name, notes))


def _by_its_token(course: Class, file: SubmittedFile) -> Report:
    """One file by its own token, worth what the problem is; with the secret at hand, one that the course has signed."""
    if course.secret is not None and file.token is not None and not _is_signed(file.token, course.secret):
        return _refused(BadInput("variant-forged", file=file.path, read=file.token[:80]), file)
    return course.marker.file(replace(file, points=None))  # whoever hands a file in can write points into it


def _refused(fault: BadInput, file: SubmittedFile) -> Report:
    return replace(broken(fault, file), status="refused")


def _charged(reports: Sequence[Report], marker: Marker) -> Iterator[Report]:
    """The same, where a problem of which nothing can be used gets no points of what it is worth.

    A fault of the grader's own is charged to nobody.
    """
    known = load.index(marker.roots)
    seen = {report.problem for report in reports if report.fault is None}
    for report in reports:
        problem = report.problem if report.problem in known else handed.named_by(report.file, known)
        if isinstance(report.fault, BadInput) and problem in known and problem not in seen:
            seen.add(problem)
            yield replace(report, problem=problem, max_points=score.worth(load.find(problem, marker.roots)))
        else:
            yield report


# --- what lies in the folder -------------------------------------------------------------------------------------


def _handed_in(folder: Path, ids: Collection[str] = ()) -> dict[str, tuple[Path, ...]]:
    """What lies in the folder of a class by the student's name, folders first.

    Where the ids are known, upper and lower case count as the same, and the names are folded.
    """
    known = {one.casefold() for one in ids}
    found: dict[str, tuple[Path, ...]] = {}
    for one in sorted(folder.iterdir(), key=lambda path: (not path.is_dir(), path.name)):
        name = "" if one.name.startswith((".", "__")) else _student_of(one, known)
        if name:
            key = name.casefold() if known else name
            found[key] = (*found.get(key, ()), one)
    return found


def _student_of(path: Path, known: Collection[str]) -> str:
    """Whose work something looks like; nothing if it is no folder or archive, and no document called like a student."""
    if path.is_dir():
        return path.name
    if is_packed(path):
        return archive_stem(path)
    is_document = path.suffix.lower() in DOCUMENTS and path.stem.casefold() in known
    is_lost = path.is_symlink() and path.name.casefold() in known
    return path.stem if is_document else path.name if is_lost else ""
