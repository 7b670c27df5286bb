"""Studying alone: start a set, a hint, new numbers, starting a file over."""

from pathlib import Path

from grader.bank import seeds, sets
from grader.bank.sets import ProblemSet
from grader.commands.check import worked_steps
from grader.commands.session import Session, one_file
from grader.errors import BadInput
from grader.give import Plan, is_begun, write_set
from grader.model import Seed
from grader.show.terminal import hints as show_hints
from grader.study import edit, state
from grader.study import hints as opened


def start(folder: Path, set_name: str, seed: int, session: Session) -> int:
    """Write a set into a new folder."""
    return write_one(folder, sets.find(set_name), seed, session)


def write_one(folder: Path, problem_set: ProblemSet, number: int, session: Session) -> int:
    """Write a set into a new folder, from a plain seed, or go on where that was broken off."""
    seed = seeds.self_study(number)
    plan = Plan(problem_set, session.lang(), lambda _, entry: Seed(seed.text, entry.pin), roots=session.roots)
    if folder.exists() and not is_begun(folder, plan):
        raise BadInput("folder-not-empty", file=folder)
    written = write_set(folder, plan)
    session.answer(session.sentence("set-written", count=len(written), folder=str(folder), first=str(written[0].path)))
    return 0


def hint(name: str, session: Session) -> int:
    """One hint more; the last one is the worked solution."""
    file = one_file(name)
    lang = session.spoken([file])
    found = opened.more(file, lang, session.roots)
    show_hints(found.opened, found.count, session.words, lang, paper=session.paper)
    if found.solution and found.variant.template.function is None:
        session.answer(session.sentence("worked-heading", lang, problem=found.variant.template.id))
        session.answer(worked_steps(found.variant, lang))
    if found.unnoted is not None:
        numbers = {"folder": str(file.path.parent / state.FOLDER), **found.unnoted.numbers}
        session.remark(session.sentence("hint-not-noted", lang, **numbers))
    return 0


def fresh(name: str, session: Session) -> int:
    """New numbers for the same problem."""
    file = one_file(name)
    replaced = edit.fresh(file, session.lang([file]), session.roots)
    seed = replaced.variant.seed.text
    session.answer(
        session.sentence(
            "numbers-are-new", session.spoken([file]), file=str(replaced.path), copy=str(replaced.copy), seed=seed
        )
    )
    return 0


def reset(name: str, session: Session) -> int:
    """The same numbers, blank again."""
    file = one_file(name)
    lang = session.spoken([file])
    replaced = edit.reset(file, session.lang([file]), session.roots)
    if replaced is None:
        session.answer(session.sentence("nothing-to-reset", lang, file=str(file.path)))
    else:
        session.answer(session.sentence("started-over", lang, file=str(replaced.path), copy=str(replaced.copy)))
    return 0
