"""Many problems at a glance: one line a file, what could not be read, and what the bank holds."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from grader.model import Report, Template
from grader.show import text
from grader.show.command import adapt, command
from grader.show.terminal import layout
from grader.show.terminal.frame import status_words
from grader.show.terminal.line import Line
from grader.show.terminal.view import HEADING, QUIET, View, is_done, stars, style_of

MOST_MARKS = 12
NARROW = 16
"""A column for what was found needs so many cells; with fewer it is left out."""


def batch(reports: Sequence[Report], view: View) -> Iterator[Line]:
    """One line a file, the total, what is next, and what could not be marked."""
    marked = [report for report in reports if report.fault is None]
    yield from _files(marked, view)
    if marked:
        yield Line()
        yield from legend({step.status for report in marked for step in report.steps}, view)
        yield _total(marked, view)
    yield from _next(marked, view)
    yield from faults([report.fault for report in reports if report.fault is not None], view, gap=bool(marked))


def faults(found: Sequence[Exception], view: View, *, gap: bool = False) -> Iterator[Line]:
    """What could not be read, each with its file and line."""
    if not found:
        return
    if gap:
        yield Line()
    yield from view.lines([view.say("not-marked", count=len(found))], HEADING)
    for fault in found:
        for said in adapt(text.error(fault, view.words, view.lang)).splitlines():
            yield from view.lines(layout.wrap(view.paper.fit(said), view.width, "  ", "    "))


def templates(listed: Sequence[Template], view: View) -> Iterator[Line]:
    """The bank, chapter by chapter: id, title, difficulty, minutes, and whether it is numbers or code."""
    for chapter, group in groupby(listed, key=lambda template: template.chapter):
        yield from view.lines([view.safe(chapter)], HEADING)
        rows = [_template(template, view) for template in group]
        wide = layout.widths(rows)
        room = view.width - (sum(wide) - wide[1]) - 8
        rows = [[row[0], view.clip(row[1], room), *row[2:]] for row in rows]
        yield from view.lines(layout.columns(rows, right=(3,)))
        yield Line()
    yield from view.lines([view.say("list-count", count=len(listed))], QUIET)


def _files(reports: Sequence[Report], view: View) -> Iterator[Line]:
    if view.paper.plain:
        for report in reports:
            yield from view.wrapped(_file_in_words(report, view), "")
        return
    rows = [_file(report, view) for report in reports]
    if not rows:
        return
    room = view.width - sum(layout.widths(rows)[:3]) - 6
    rows = [[*row[:3], view.clip(row[3], room) if room >= NARROW else ""] for row in rows]
    for line, row, report in zip(layout.columns(rows, right=(2,)), rows, reports, strict=True):
        made = Line(view.clip(line))
        start = line.index(row[1], len(row[0])) if row[1] else 0
        for at, step in enumerate(report.steps[: len(row[1])] if _has_marks(report) else ()):
            made.stylize(style_of(step.status), start + at, start + at + 1)
        yield made


def _file(report: Report, view: View) -> list[str]:
    gained = f"{view.points(report.points)} / {view.points(report.max_points)}"
    return [f"  {view.clip(_name(report, view), view.width // 3)}", _marks(report, view), gained, _found(report, view)]


def _name(report: Report, view: View) -> str:
    return view.safe(report.file.name if report.file else report.problem)


def _has_marks(report: Report) -> bool:
    return 0 < len(report.steps) <= MOST_MARKS


def _marks(report: Report, view: View) -> str:
    """A mark for each step; a count for a problem with many."""
    if _has_marks(report):
        return "".join(view.mark(step.status) for step in report.steps)
    if report.steps:
        return f"{sum(map(is_done, report.steps))}/{len(report.steps)}"
    return view.mark(report.status)


def _found(report: Report, view: View) -> str:
    """The first thing that is wrong, in short."""
    if report.status == "right":
        return ""
    if report.status == "blank":
        return view.status("blank")
    step = next((step for step in report.steps if not is_done(step)), None)
    found = [*(step.findings if step else ()), *report.findings]
    found.sort(key=lambda one: not one.mistakes)
    said = (
        text.short(found[0], view.words, view.lang, report.problem)
        if found
        else (status_words(step, view) if step else view.status(report.status))
    )
    return view.say("step-short", name=step.step, text=said) if step and len(report.steps) > 1 else view.paper.fit(said)


def _file_in_words(report: Report, view: View) -> str:
    numbers = {"points": view.points(report.points), "most": view.points(report.max_points)}
    said = view.say("plain-problem", name=_name(report, view), status=view.status(report.status), **numbers)
    found = _found(report, view) if report.status not in {"right", "blank"} else ""
    return text.join([said, found], view.lang)


def legend(statuses: Iterable[str], view: View, more: Sequence[str] = ()) -> list[Line]:
    """What the marks above mean, for those that are not plain right or wrong."""
    told = sorted(f"{view.mark(one)} {view.status(one)}" for one in set(statuses) - {"right", "wrong"})
    told += more
    return [] if view.paper.plain or not told else view.wrapped(view.row(told), "  ", QUIET)


def _total(reports: Sequence[Report], view: View) -> Line:
    gained = view.points(sum((report.points for report in reports), Fraction(0)))
    most = view.points(sum((report.max_points for report in reports), Fraction(0)))
    return Line(view.clip(view.say("total-line", points=gained, most=most)), style=HEADING)


def _next(reports: Sequence[Report], view: View) -> list[Line]:
    """The first file that is not right yet, of those whose names can be typed."""
    files = [report.file for report in reports if report.status != "right" and report.file is not None]
    named = [view.path(file) for file in files if str(file).isprintable()]
    return view.wrapped(view.say("next-line", command=command(named[0]))) if named else []


def _kind(template: Template) -> str:
    """What most of a template's blanks ask for; the first of them where two kinds are as many."""
    kinds = [{"choices": "choice"}.get(ask.kind, ask.kind) for ask in template.ask]
    return max(kinds, key=kinds.count, default="numbers")


def _template(template: Template, view: View) -> list[str]:
    level = view.say("difficulty-short", level=template.difficulty)
    if not (view.paper.plain or view.paper.ascii):
        level = stars(template.difficulty)
    kind = view.say("kind-function" if template.function else f"kind-{_kind(template)}")
    minutes = view.say("minutes", count=template.minutes)
    return [f"  {view.safe(template.id)}", view.pick(template.title), level, minutes, kind]
