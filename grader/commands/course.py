"""Make sets: one folder, or one for each student of a roster."""

from dataclasses import dataclass
from pathlib import Path

from grader.bank import seeds, sets
from grader.bank.sets import ProblemSet
from grader.commands.session import Session
from grader.course import lock as locks
from grader.course import make as making
from grader.course import roster
from grader.errors import BadInput
from grader.give import Plan, write_set
from grader.model import Seed
from grader.show.terminal import progress


@dataclass(frozen=True, slots=True)
class Making:
    """What `grade make` was asked."""

    set_name: str
    out: Path
    seed: int | None = None
    roster: Path | None = None
    secret: Path | None = None


def make(making_of: Making, session: Session) -> int:
    """Write one set from a seed, or a set for every student from a secret."""
    problem_set = sets.find(making_of.set_name)
    if making_of.roster is not None:
        return _make_class(making_of, problem_set, session)
    if making_of.out.exists() and any(making_of.out.iterdir()):
        raise BadInput("folder-not-empty", file=making_of.out)
    seed = seeds.self_study(making_of.seed or 0)
    plan = Plan(problem_set, session.lang(), lambda _, entry: Seed(seed.text, entry.pin), roots=session.roots)
    written = write_set(making_of.out, plan)
    session.answer(
        session.sentence("set-written", count=len(written), folder=str(making_of.out), first=str(written[0].path))
    )
    return 0


def _make_class(making_of: Making, problem_set: ProblemSet, session: Session) -> int:
    students = roster.read(making_of.roster or Path())
    secret_file = making_of.secret or making_of.out / making.SECRET
    secret = making.secret_of(secret_file)
    course = making.Course(making_of.out, problem_set, secret, session.lang(), session.roots)
    count = 0
    with progress(len(students)) as advance:
        for _, written in making.make(course, students):
            count += len(written)
            advance()
    numbers = {"students": len(students), "count": count, "folder": str(making_of.out)}
    session.answer(
        session.sentence("class-written", **numbers, lock=str(making_of.out / locks.NAME), secret=str(secret_file))
    )
    return 0
