"""Make a set for every student of a class, from a secret that stays with the instructor."""

import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grader.bank import seeds, sets, token
from grader.bank.sets import Entry, ProblemSet
from grader.course import LOCK
from grader.course import lock as locks
from grader.course.roster import Student
from grader.errors import BadInput
from grader.give import Plan, Written, is_begun, make_folder, replace_text, write_set
from grader.model import Lang, Seed, Template, Variant

SECRET = "course.secret"  # noqa: S105 -- the name of the file that holds it


@dataclass(frozen=True, slots=True)
class Course:
    """Where a class set goes and what it is drawn from. Each attempt has numbers of its own, and a folder."""

    folder: Path
    problem_set: ProblemSet
    secret: Path
    lang: Lang
    roots: Sequence[Path] = ()
    attempt: int = 1


def read_secret(path: Path) -> bytes:
    """The secret in a file; `BadInput` if it is no file or one that could be guessed."""
    try:
        secret = path.read_bytes().strip()
    except OSError as error:
        raise BadInput("file-unreadable", file=path, reason=error.strerror or "") from None
    if len(secret) < 16:  # noqa: PLR2004 -- fewer bytes could be guessed
        raise BadInput("secret-too-short", file=path)
    return secret


def make(course: Course, students: Sequence[Student]) -> Iterator[tuple[Student, tuple[Written, ...]]]:
    """Write every student's folder, one after the other, and at the end the lock.

    Students whom the lock has already are left as they are and yield nothing written, so that those who come late can
    be added. What was written stays in the lock, unless the process is killed: so a folder that holds what would be
    written, or a part of it, is completed, and any other that is there already is refused before anything is written.
    """
    lock = _begun(course)
    have = {student.id for student in lock.students}
    there = [one for one in students if one.id not in have and os.path.lexists(course.folder / one.id)]
    if there and not course.secret.exists():
        raise _refused(course, there[0])
    secret = _secret_of(course.secret, is_new=not have)
    for student in there:
        if not is_begun(course.folder / student.id, _plan(course, secret, student)):
            raise _refused(course, student)
    locked = list(lock.students)
    try:
        for student in students:
            plan = _plan(course, secret, student)
            written = () if student.id in have else write_set(course.folder / student.id, plan)
            if written:
                locked.append(_locked(student, written))
            yield student, written
    finally:
        if locked:
            locks.write(course.folder / LOCK, replace(lock, students=tuple(locked)))


def _begun(course: Course) -> locks.Lock:
    """The lock that is there already, or a new one. `BadInput` if the set cannot be a class set, or is another one."""
    problem_set = sets.on_attempt(course.problem_set, course.attempt)
    ids = [entry.template for entry in problem_set.problems]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise BadInput("set-repeats", file=problem_set.file, problem=twice)
    path = course.folder / LOCK
    if not path.exists():
        return locks.Lock(problem_set.name, problem_set.title, (), course.attempt)
    lock = locks.read(path)
    if lock.set_name != problem_set.name:
        raise BadInput("lock-of-another-set", file=path, read=lock.set_name, wanted=problem_set.name)
    if lock.attempt != course.attempt:
        raise BadInput("lock-of-another-attempt", file=path, read=lock.attempt, wanted=course.attempt)
    return lock


def _refused(course: Course, student: Student) -> BadInput:
    return BadInput("folder-not-empty", file=course.folder / student.id)


def _secret_of(path: Path, *, is_new: bool) -> bytes:
    """The course's secret. A new course without one gets one, readable by its owner alone."""
    if is_new and not path.exists():
        make_folder(path.parent)
        replace_text(path, secrets.token_hex(32) + "\n", private=True)
    return read_secret(path)


def _plan(course: Course, secret: bytes, student: Student) -> Plan:
    """What one student is given."""

    def seed_of(template: Template, entry: Entry) -> Seed:
        derived = seeds.derived(secret, student.id, template.id, template.drawing_hash, course.attempt)
        return Seed(derived.text, entry.pin)

    signed = partial(_signed, secret)
    problem_set = sets.on_attempt(course.problem_set, course.attempt)
    return Plan(problem_set, course.lang, seed_of, signed, given_out=True, roots=course.roots)


def _signed(secret: bytes, variant: Variant) -> str:
    return str(token.sign(token.of(variant), secret))


def _locked(student: Student, written: Sequence[Written]) -> locks.LockedStudent:
    problems = tuple(locks.lock(one.path.name, one.variant, one.token, one.entry.points) for one in written)
    return locks.LockedStudent(student.id, student.name, problems)
