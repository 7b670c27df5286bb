"""Studying alone: start a set, a hint, new numbers, starting a file over."""

from pathlib import Path

from grader.bank import seeds, sets
from grader.commands.session import Session, one_file
from grader.show import worked
from grader.show.terminal import hints as show_hints
from grader.study import edit
from grader.study import hints as opened
from grader.trace import solve


def start(folder: Path, set_name: str, seed: int, session: Session) -> int:
    """Write a set into a new folder."""
    written = edit.start(folder, sets.find(set_name), seeds.self_study(seed), session.lang(), session.roots)
    session.answer(session.sentence("set-written", count=len(written), folder=str(folder), first=str(written[0].path)))
    return 0


def hint(name: str, session: Session) -> int:
    """One hint more; the last one is the worked solution."""
    file = one_file(name)
    lang = session.lang([file])
    found = opened.more(file, lang, session.roots)
    show_hints(found.opened, found.count, session.words, lang, paper=session.paper)
    if found.solution and found.variant.template.function is None:
        session.answer(session.sentence("worked-heading", lang, problem=found.variant.template.id))
        decimals = max((blank.decimals for blank in found.variant.blanks), default=4) or 4
        steps = worked.worked(solve(found.variant), set(found.variant.inputs), decimals, lang)
        session.answer(steps)
    return 0


def fresh(name: str, session: Session) -> int:
    """New numbers for the same problem."""
    file = one_file(name)
    replaced = edit.fresh(file, session.lang([file]), session.roots)
    seed = replaced.variant.seed.text
    session.answer(
        session.sentence(
            "numbers-are-new", session.lang([file]), file=str(replaced.path), copy=str(replaced.copy), seed=seed
        )
    )
    return 0


def reset(name: str, session: Session) -> int:
    """The same numbers, blank again."""
    file = one_file(name)
    replaced = edit.reset(file, session.lang([file]), session.roots)
    session.answer(
        session.sentence("started-over", session.lang([file]), file=str(replaced.path), copy=str(replaced.copy))
    )
    return 0
