"""The bank: what it holds, whether it is sound, the page of a mistake."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from grader.bank import lint, load, words
from grader.commands.session import Session
from grader.errors import BadInput
from grader.show import text
from grader.show.command import command
from grader.show.escape import escape
from grader.show.terminal import bank_list, progress
from grader.show.terminal import explain as show_page
from grader.show.terminal.layout import prose

UNSOUND = 2


def listing(session: Session) -> int:
    """Every problem, chapter by chapter."""
    bank_list(tuple(load.bank(session.roots)), session.words, session.spoken(), paper=session.paper)
    return 0


def checking(problems: Sequence[str], seeds: int, session: Session) -> int:
    """The author's check of some problems, or of the whole bank: every fault on a line of its own."""
    names = list(problems) or list(load.index(session.roots))
    faults: list[BadInput] = []
    with progress(len(names)) as advance:
        for name in names:
            faults += lint.check([_known(name)], seeds, roots=session.roots)
            advance()
    if not problems:
        faults += [*lint.check_sets(), *lint.check_pages(), *lint.check_words()]
    for fault in faults:
        session.complain(fault)
    session.answer(session.sentence("bank-checked", problems=len(names), seeds=seeds, count=len(faults)))
    return UNSOUND if faults else 0


def check_lock(file: Path, session: Session) -> int:
    """Rebuild every variant of a class set and hold it against the numbers that the lock keeps."""
    from grader.course import lock as locks  # noqa: PLC0415 -- the other commands do without

    lock = locks.read(file)
    different = list(locks.differing(lock, session.roots))
    counts = Counter(locked.template for _, locked, fault in different if fault is None)
    for problem, count in counts.items():
        session.remark(session.sentence("lock-differs", problem=problem, count=count))
    faults = {locked.template: fault for _, locked, fault in different if fault is not None}
    for fault in faults.values():
        fault.file = fault.file or file
        session.complain(fault)
    total = sum(len(student.problems) for student in lock.students)
    numbers = {"file": str(file), "students": len(lock.students), "count": total, "different": len(different)}
    session.answer(session.sentence("lock-checked", **numbers))
    return UNSOUND if different else 0


def explain(code: str, session: Session) -> int:
    """The page of a mistake, a note to read, or the sentence of a code with its places left open."""
    lang = session.spoken()
    name = code.strip().lower().replace("-", "_")
    if name in session.words.pages:
        show_page(name, session.words.pages[name], session.words, lang, paper=session.paper)
        session.answer(session.sentence("note-command", lang, command=command("explain", words.note_of(name) or name)))
        return 0
    if name in words.notes():
        session.answer("\n".join(prose(text.pick(words.note(name), lang), session.paper.width, cut=False)))
        return 0
    kebab = code.strip().lower().replace("_", "-")
    if kebab in session.words.sentences:
        said = text.pick(session.words.sentences[kebab], lang)
        session.answer(text.fill(said, dict.fromkeys(lint.placeholders(said), "…")))
        return 0
    unknown, near = load.unknown("unknown-code", name, session.words.pages)
    raise BadInput(unknown, read=escape(code), **near)


def _known(name: str) -> str | Path:
    """A path if it is one, else an id."""
    return Path(name) if name.endswith((".yaml", ".yml")) else name
