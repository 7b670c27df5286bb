"""For instructors: make sets, one folder or one for each student of a roster, and mark what a class handed in."""

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.bank import sets
from grader.bank.sets import ProblemSet
from grader.commands.session import Session, exit_code
from grader.commands.study import write_one
from grader.course import LOCK, roster
from grader.course import lock as locks
from grader.course import make as making
from grader.course import run as running
from grader.course.run import Class, Marked
from grader.course.table import table
from grader.errors import BadInput
from grader.mark import Marker, broken
from grader.model import Batch
from grader.sandbox.run import Way
from grader.show import json, text
from grader.show.terminal import class_table, progress

PRINTED = Path("-")
"""What stands for standard output where a file is wanted."""


@dataclass(frozen=True, slots=True)
class Making:
    """What `grade make` was asked."""

    set_name: str
    out: Path
    seed: int | None = None
    roster: Path | None = None
    secret: Path | None = None
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Marking:
    """What `grade check` was asked about a class."""

    folder: Path
    csv: Path | None = None
    lock: Path | None = None
    secret: Path | None = None
    json: bool = False
    way: Way = field(default_factory=lambda: Way(strangers=True))
    jobs: int | None = None


def make(making_of: Making, session: Session) -> int:
    """Write one set from a seed, or a set for every student from a secret."""
    problem_set = sets.find(making_of.set_name)
    if making_of.roster is not None:
        return _make_class(making_of, making_of.roster, problem_set, session)
    return write_one(making_of.out, problem_set, making_of.seed or 0, session)


def mark(asked: Marking, session: Session) -> int:
    """Mark every student's folder, write the CSV, show the class, and return the exit code."""
    if asked.csv == PRINTED and asked.json:
        raise BadInput("csv-and-json")
    lang = session.spoken()
    course = _class(asked, session)
    students = running.students(course.folder, course.lock)
    jobs = _jobs(asked.jobs, students, session)
    with course.marker, progress(students) as advance:
        marked = []
        for one in running.run(course, jobs):
            marked.append(one)
            advance()
    others = [broken(one.fault) for one in marked if one.is_nobody and one.fault]
    marked = [one for one in marked if not one.is_nobody]
    batches = [_with_fault(one) for one in marked]
    rows = table(marked, lambda fault: text.error(fault, session.words, lang)) if asked.csv is not None else ""
    unwritten = _save(asked.csv, rows)  # first of all: whoever reads what is printed may stop reading
    if asked.json:
        session.answer(json.dumps(batches, session.words, others))
    elif asked.csv == PRINTED:
        session.hand_over(rows)
    else:
        nobodys = [one.fault for one in others if one.fault]
        class_table(batches, session.words, lang, others=nobodys, paper=session.paper)
    _say_what_differs(marked, session)
    if unwritten is not None:
        raise unwritten
    if asked.csv not in {None, PRINTED}:
        session.remark(session.sentence("csv-written", file=str(asked.csv)))
    reports = [*(report for batch in batches for report in batch.reports), *others]
    session.say_without_box(reports)
    session.own_faults(reports)
    return exit_code(reports)


def _class(asked: Marking, session: Session) -> Class:
    """The lock and the secret that are named, or stand in the folder or beside it."""
    marker = Marker(session.roots, way=asked.way)
    found = asked.lock or running.find_lock(asked.folder)
    if found is None:
        return Class(asked.folder, marker, secret=making.read_secret(asked.secret) if asked.secret else None)
    beside = found.with_name(making.SECRET)
    file = asked.secret or (beside if beside.is_file() else None)
    lock, secret = locks.read(found), making.read_secret(file) if file else None
    if secret is not None and not running.is_of(lock, secret):
        raise BadInput("secret-of-another-course", file=file, lock=str(found))
    return Class(asked.folder, marker, lock, secret)


def _make_class(making_of: Making, file: Path, problem_set: ProblemSet, session: Session) -> int:
    students = roster.read(file)
    secret = making_of.secret or making_of.out / making.SECRET
    course = making.Course(making_of.out, problem_set, secret, session.lang(), session.roots, making_of.attempt)
    new, count = 0, 0
    with progress(len(students)) as advance:
        for _, written in making.make(course, students):
            new += bool(written)
            count += len(written)
            advance()
    lock = str(making_of.out / LOCK)
    numbers = {"students": new, "count": count, "folder": str(making_of.out)}
    if new:
        session.answer(session.sentence("class-written", **numbers, lock=lock, secret=str(secret)))
    if new < len(students):
        session.answer(session.sentence("class-had", students=len(students) - new))
    return 0


def _with_fault(one: Marked) -> Batch:
    """A student's batch under the name shown, with the fault of the whole folder as a report of its own."""
    student = f"{one.id} {one.name}".strip()
    if one.fault is None:
        return replace(one.batch, student=student)
    return Batch((*one.batch.reports, broken(one.fault)), student)


def _say_what_differs(marked: list[Marked], session: Session) -> None:
    for problem, count in Counter(problem for one in marked for problem in one.by_lock).items():
        session.remark(session.sentence("lock-differs", problem=problem, count=count))


def _save(file: Path | None, rows: str) -> BadInput | None:
    """Write the CSV, if it has a file; why that could not be."""
    if file is None or file == PRINTED:
        return None
    try:
        file.write_text(rows, encoding="utf-8-sig", newline="")
    except OSError as error:
        return BadInput("file-unwritable", file=file, reason=error.strerror or "")
    return None


def _jobs(asked: int | None, students: int, session: Session) -> int:
    """How many processes mark; it is said if they are fewer than were asked for."""
    jobs = running.jobs_for(students, asked)
    if asked is not None and jobs < asked:
        numbers = {"students": students, "processors": running.processors(), "most": running.MOST_JOBS}
        session.remark(session.sentence("fewer-jobs", asked=asked, jobs=jobs, **numbers))
    return jobs
