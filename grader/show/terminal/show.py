"""The pages, printed: what the commands call."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from grader.model import Batch, Lang, Template, Text, Words
from grader.show.terminal import classroom, pages, table
from grader.show.terminal.frame import frame
from grader.show.terminal.line import Line
from grader.show.terminal.paper import Paper
from grader.show.terminal.view import View


def show(batch: Batch, words: Words, lang: Lang, *, reveal: bool = False, paper: Paper | None = None) -> None:
    """One file in full, or many in a table. `reveal` puts the expected numbers beside the learner's own."""
    view = View(paper or Paper(), words, lang, reveal)
    if not batch.reports:
        view.paper.print(view.wrapped(view.say("nothing-to-mark")))
    elif len(batch.reports) == 1 and batch.reports[0].fault is None:
        view.paper.print(frame(batch.reports[0], view))
    else:
        view.paper.print(table.batch(batch.reports, view))


def faults(found: Sequence[Exception], words: Words, lang: Lang, *, paper: Paper | None = None) -> None:
    """What could not be read, each with its file and line."""
    _print(lambda view: table.faults(found, view), words, lang, paper)


def class_table(
    batches: Sequence[Batch],
    words: Words,
    lang: Lang,
    *,
    others: Sequence[Exception] = (),
    paper: Paper | None = None,
) -> None:
    """A class: one line a student, a mark for each problem, the most common mistakes, and what is nobody's."""
    _print(lambda view: classroom.table(batches, view, others), words, lang, paper)


def explain(name: str, page: Mapping[str, Text], words: Words, lang: Lang, *, paper: Paper | None = None) -> None:
    """The page of a mistake."""
    _print(lambda view: pages.mistake(name, page, view), words, lang, paper)


def bank_list(listed: Sequence[Template], words: Words, lang: Lang, *, paper: Paper | None = None) -> None:
    """The problems of the bank, chapter by chapter."""
    _print(lambda view: table.templates(listed, view), words, lang, paper)


def hints(shown: Sequence[str], total: int, words: Words, lang: Lang, *, paper: Paper | None = None) -> None:
    """The hints opened so far, out of `total`; each is Markdown in this language already."""
    _print(lambda view: pages.hints(shown, total, view), words, lang, paper)


def _print(make: Callable[[View], Iterable[Line]], words: Words, lang: Lang, paper: Paper | None) -> None:
    view = View(paper or Paper(), words, lang)
    view.paper.print(make(view))
