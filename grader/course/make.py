"""Make a set for every student of a class, from a secret that stays with the instructor."""

import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.bank import seeds, token
from grader.bank.sets import Entry, ProblemSet
from grader.course import lock as locks
from grader.course.roster import Student
from grader.errors import BadInput
from grader.give import Plan, Written, write_set
from grader.model import Lang, Seed, Template, Variant

SECRET = "course.secret"  # noqa: S105 -- the name of the file that holds it


@dataclass(frozen=True, slots=True)
class Course:
    """Where a class set goes and what it is drawn from."""

    folder: Path
    problem_set: ProblemSet
    secret: bytes
    lang: Lang
    roots: Sequence[Path] = ()
    attempt: int = 1


def secret_of(path: Path) -> bytes:
    """The secret in a file; a new one, readable by its owner alone, if there is no such file."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
    secret = path.read_bytes().strip()
    if len(secret) < 16:  # noqa: PLR2004 -- fewer bytes could be guessed
        raise BadInput("secret-too-short", file=path)
    return secret


def make(course: Course, students: Sequence[Student]) -> Iterator[tuple[Student, tuple[Written, ...]]]:
    """Write every student's folder, one after the other, and at the end the lock. Existing folders are refused."""
    ids = [entry.template for entry in course.problem_set.problems]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise BadInput("set-repeats", file=course.problem_set.file, problem=twice)
    for student in students:
        folder = course.folder / student.id
        if folder.exists():
            raise BadInput("folder-not-empty", file=folder)
    locked = []
    for student in students:
        seed_of, token_of = partial(_seed, course, student), partial(_signed, course.secret)
        plan = Plan(course.problem_set, course.lang, seed_of, token_of, given_out=True, roots=course.roots)
        written = write_set(course.folder / student.id, plan)
        locked.append(_locked(student, written))
        yield student, written
    title = course.problem_set.title
    locks.write(course.folder / locks.NAME, locks.Lock(course.problem_set.name, title, tuple(locked)))


def _seed(course: Course, student: Student, template: Template, entry: Entry) -> Seed:
    derived = seeds.derived(course.secret, student.id, template.id, template.drawing_hash, course.attempt)
    return Seed(derived.text, entry.pin)


def _signed(secret: bytes, variant: Variant) -> str:
    return str(token.sign(token.of(variant), secret))


def _locked(student: Student, written: Sequence[Written]) -> locks.LockedStudent:
    problems = tuple(
        locks.Locked(one.path.name, one.variant.template.id, one.token, one.entry.points, locks.keep(one.variant))
        for one in written
    )
    return locks.LockedStudent(student.id, student.name, problems)
