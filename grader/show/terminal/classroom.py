"""A class at a glance: one line a student, a mark for each problem, and the mistakes that are made most."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.model import Batch, Report
from grader.show import text
from grader.show.terminal import layout
from grader.show.terminal.line import Line
from grader.show.terminal.table import faults, legend
from grader.show.terminal.view import HEADING, QUIET, View

MOST_COMMON = 5
NAME = 24
ABSENT = "-"


def table(batches: Sequence[Batch], view: View, others: Sequence[Exception] = ()) -> Iterator[Line]:
    """One line a student, what the marks mean, how many students, their common mistakes, unreadable files.

    `others` is what cannot be used and belongs to no student.
    """
    if view.paper.plain:
        for one in batches:
            yield from view.wrapped(_in_words(one, view))
    else:
        problems = list(dict.fromkeys(one.problem for one in _reports(batches) if one.fault is None or one.max_points))
        yield from _key(problems, view)
        yield from _grid(batches, problems, view)
        yield Line()
        is_absent = any(set(problems) - set(_by_problem(one)) for one in batches)
        more = [f"{ABSENT} {view.say('not-handed-in')}"] if is_absent else []
        yield from legend((one.status for one in _reports(batches) if one.problem in problems), view, more)
    yield from view.lines([view.say("class-size", count=len(batches))], HEADING)
    yield from _common(batches, view)
    yield from _notes(batches, view)
    named = [one.fault for one in _reports(batches) if one.fault is not None]
    yield from faults([*named, *others], view, gap=True)


def _reports(batches: Sequence[Batch]) -> list[Report]:
    return [report for one in batches for report in one.reports]


def _in_words(one: Batch, view: View) -> str:
    gained, most = _points(one)
    counts = Counter(report.status for report in one.reports)
    told = view.row([f"{view.status(status)} {count}" for status, count in counts.items()])
    total = view.say("total-line", points=view.points(gained), most=view.points(most))
    code = "plain-student" if told else "plain-student-none"
    return view.say(code, name=_name(one, view), total=total, told=told)


def _name(one: Batch, view: View) -> str:
    return view.clip(view.safe(one.student), NAME) if one.student else view.say("no-name")


def _points(one: Batch) -> tuple[Fraction, Fraction]:
    gained = sum((report.points for report in one.reports), Fraction(0))
    return gained, sum((report.max_points for report in one.reports), Fraction(0))


def _key(problems: Sequence[str], view: View) -> Iterator[Line]:
    """Which column is which problem."""
    yield from view.wrapped(", ".join(f"{at} {view.safe(name)}" for at, name in enumerate(problems, 1)), "", QUIET)
    yield Line()


def _grid(batches: Sequence[Batch], problems: Sequence[str], view: View) -> list[Line]:
    """A column for each problem, or one column of counts if there are too many of them."""
    head = [view.say("student"), *map(str, range(1, len(problems) + 1)), view.say("points-head")]
    rows = [_row(one, problems, view) for one in batches]
    foot = [view.say("class-right"), *_solved(batches, problems), ""]
    laid = _laid([head, *rows, foot])
    if max(map(layout.measure, laid)) > view.width:
        laid = _laid([_counted(row, view) for row in [head, *rows]])
    made = view.lines(laid)
    made[0].stylize(HEADING)
    return made


def _laid(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows with one space between problems and two around them."""
    last = len(rows[0]) - 1
    spaced = [[row[0] + " ", *row[1:last], " " + row[last]] for row in rows]
    return layout.columns(spaced, right=range(1, last + 1), gap=1)


def _row(one: Batch, problems: Sequence[str], view: View) -> list[str]:
    by_problem = _by_problem(one)
    marks = [view.mark(by_problem[name].status) if name in by_problem else ABSENT for name in problems]
    gained, most = map(view.points, _points(one))
    return [_name(one, view), *marks, view.paper.fit(f"{gained} / {most}")]


def _counted(row: Sequence[str], view: View) -> list[str]:
    """A row with the number of right problems in place of their marks."""
    is_head = row[-1] == view.say("points-head")
    right = view.status("right") if is_head else f"{row.count(view.mark('right'))} / {len(row) - 2}"
    return [row[0], right, row[-1]]


def _by_problem(one: Batch) -> dict[str, Report]:
    return {report.problem: report for report in one.reports}


def _solved(batches: Sequence[Batch], problems: Sequence[str]) -> list[str]:
    counts = Counter(one.problem for one in _reports(batches) if one.status == "right")
    return [str(counts[name]) for name in problems]


def _common(batches: Sequence[Batch], view: View) -> Iterator[Line]:
    """The mistakes that most students make, each with how many do."""
    counts = Counter(name for one in batches for name in _mistakes(one))
    if not counts:
        return
    yield Line()
    yield from view.lines([view.say("class-common")], HEADING)
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_COMMON]:
        title = view.paper.fit(text.title([name], view.words, view.lang))
        yield from view.lines([f"  {count:>3}  {title}"])


def _notes(batches: Sequence[Batch], view: View) -> Iterator[Line]:
    """How things came that are marked all the same."""
    told = [text.error(note, view.words, view.lang) for one in batches for note in one.notes]
    if told:
        yield Line()
    for said in told:
        yield from view.lines(layout.wrap(view.paper.fit(said), view.width, "", "  "))


def _mistakes(one: Batch) -> set[str]:
    found = [item for report in one.reports for item in report.findings]
    found += [item for report in one.reports for step in report.steps for item in step.findings]
    return {name for item in found if item.code in item.mistakes for name in item.mistakes}
