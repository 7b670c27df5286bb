"""One problem in full: what it is, its steps with their marks, the first that differs, the points."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.model import Array, Report, StepReport
from grader.show.formulas import OPEN, formula
from grader.show.terminal import difference, layout
from grader.show.terminal.line import Line
from grader.show.terminal.view import HEADING, QUIET, View, is_done, stars, style_of


def frame(report: Report, view: View) -> Iterator[Line]:
    """The whole page of one report."""
    yield from _header(report, view)
    yield Line()
    yield from _steps(report, view)
    first = _first(report)
    yield from _blank_line(difference.lines(report, first, view))
    yield from _blank_line(_carried(report, view))
    yield from _blank_line(_notes(report, first, view))
    if view.reveal:
        yield from _blank_line(difference.expected_values(report, first, view))
    yield from _blank_line([_points(report, view)])


def _first(report: Report) -> int | None:
    """The step to look at: the first that differs (in code, wrong values before a crash), else the next to do."""
    steps = list(enumerate(report.steps))
    undone = [at for at, step in steps if not is_done(step)]
    begun = [at for at in undone if report.steps[at].status not in {"blank", "not-written"}]
    wrong = [at for at in begun if report.steps[at].status == "wrong" and difference.is_code(report)]
    wrong.sort(key=lambda at: {one.code for one in report.steps[at].findings} <= {"cases-passed"})  # only stopped
    half = [at for at in undone if difference.is_half_filled(report.steps[at])]
    return next(iter([*wrong, *begun, *half, *undone]), None)


def _header(report: Report, view: View) -> list[Line]:
    title = view.pick(report.title)
    lines = view.lines(layout.ends(title, _difficulty(report, view), view.width), HEADING)
    variant = view.say("variant-line", variant=report.variant) if report.variant else ""
    return lines + view.lines(layout.ends(view.path(report.file), variant, view.width), QUIET)


def _difficulty(report: Report, view: View) -> str:
    if not report.difficulty:
        return ""
    if view.paper.plain or view.paper.ascii:
        return view.say("difficulty-line", level=report.difficulty)
    return stars(report.difficulty)


def _steps(report: Report, view: View) -> list[Line]:
    """One line a step."""
    if view.paper.plain:
        return [line for at, step in enumerate(report.steps) for line in _plain_step(at, step, view)]
    rows = [_row(at, step, view) for at, step in enumerate(report.steps)]
    if not rows:
        return []
    laid = layout.columns(_without_wide(rows, view), right=(1, 5))
    return [_coloured(line, step.status, view) for line, step in zip(laid, report.steps, strict=True)]


def _row(at: int, step: StepReport, view: View) -> list[str]:
    shown = view.paper.fit(formula(step.step, view.lang)) if step.step in OPEN else ""
    gained = view.say("points-of", points=view.points(step.points), most=view.points(step.max_points))
    name = view.clip(view.safe(step.step), view.width // 4)
    return [f" {view.mark(step.status)}", str(at + 1), name, shown, status_words(step, view), gained]


def _without_wide(rows: list[list[str]], view: View) -> list[list[str]]:
    """The rows without their formulas if these are too long, and with status words that fit."""
    mark, number, name, formulas, words, gained = layout.widths(rows)
    room = view.width - (mark + number + name + gained + 10)
    if not formulas or formulas + words > room:
        return [[*row[:3], "", view.clip(row[4], room), row[5]] for row in rows]
    return rows


def _coloured(line: str, status: str, view: View) -> Line:
    made = Line(view.clip(line))
    made.stylize(style_of(status), 0, 2)
    return made


def _plain_step(at: int, step: StepReport, view: View) -> list[Line]:
    numbers = {"points": view.points(step.points), "most": view.points(step.max_points)}
    said = view.say("plain-step", number=at + 1, name=step.step, status=status_words(step, view), **numbers)
    return view.wrapped(said)


def status_words(step: StepReport, view: View) -> str:
    """A status in words: how many cells differ or are empty, which shape came, how often it was reached, if known."""
    if difference.is_half_filled(step):
        return view.say("cells-left", **step.findings[0].numbers)
    if reached := next((one for one in step.findings if one.code == "right-where-reached"), None):
        return view.say("where-reached", **reached.numbers)
    if step.status != "wrong" or step.yours is None:
        return view.status(step.status)
    return _wrong_in_words(step, step.yours, view)


def _wrong_in_words(step: StepReport, yours: Array, view: View) -> str:
    if step.expected is not None and yours.shape != step.expected.shape:
        return _other_shape(yours, step.expected, view)
    if not step.cells:
        return view.status(step.status)
    if yours.size == 1:
        return view.say("number-differs")
    code = "cell-differs" if len(step.cells) == 1 else "cells-differ"
    return view.say(code, count=len(step.cells), total=yours.size)


def _other_shape(yours: Array, want: Array, view: View) -> str:
    if max(yours.ndim, want.ndim) < 2:  # noqa: PLR2004 -- a row, or a number alone
        return view.say("count-differs", got=yours.size, wanted=want.size)
    return view.say("shape-differs", got=_shape(yours), wanted=_shape(want))


def _shape(array: Array) -> str:
    """Rows and columns as `2×3`, where a row or a number alone is a matrix too; more axes as a tuple."""
    if array.ndim > 2:  # noqa: PLR2004 -- rows and columns
        return str(array.shape)
    return "×".join(map(str, (1,) * (2 - array.ndim) + array.shape))


def _carried(report: Report, view: View) -> list[Line]:
    """Follow-through in a line or two: which steps keep their points, and because of what."""
    steps = [(at, step) for at, step in enumerate(report.steps) if step.status == "carried"]
    again = [(at, step) for at, step in steps if _earlier(step, "carried-again")]
    return _following(report, [one for one in steps if one not in again], view) + _again(again, view)


def _following(report: Report, steps: Sequence[tuple[int, StepReport]], view: View) -> list[Line]:
    if not steps:
        return []
    before = [step.step for step in report.steps[: steps[0][0]] if not is_done(step)]
    source = view.listed([f"`{name}`" for name in before or [steps[0][1].step]])
    kept, most = (sum((getattr(one, name) for _, one in steps), Fraction(0)) for name in ("points", "max_points"))
    code = "carried-part" if kept != most else "carried-one" if len(steps) == 1 else "carried-many"
    numbers = {"numbers": view.listed(_runs([at + 1 for at, _ in steps])), "source": source}
    return view.wrapped(view.say(code, **numbers, points=view.points(kept), most=view.points(most)), "  ")


def _again(steps: Sequence[tuple[int, StepReport]], view: View) -> list[Line]:
    if not steps:
        return []
    sources = dict.fromkeys(f"`{_earlier(step, 'carried-again')}`" for _, step in steps)
    numbers = {"numbers": view.listed(_runs([at + 1 for at, _ in steps])), "source": view.listed(list(sources))}
    return view.wrapped(view.say("again-one" if len(steps) == 1 else "again-many", **numbers), "  ")


def _earlier(step: StepReport, code: str) -> str:
    """The earlier step that a finding of this code speaks of; empty if there is none."""
    return next((str(found.numbers["earlier"]) for found in step.findings if found.code == code), "")


def _runs(numbers: Sequence[int]) -> list[str]:
    """Numbers with three or more in a row as one: `4–7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = ([f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run) for run in runs)  # noqa: PLR2004 -- two is no run
    return [part for several in parts for part in several]


def _notes(report: Report, first: int | None, view: View) -> list[Line]:
    """Why further answers cannot be read or earn nothing, and what is worth knowing about right ones."""
    lines: list[Line] = []
    for at, step in enumerate(report.steps):
        told = step.status == "right" or (step.status == "unreadable" and at != first)
        refused = [found for found in step.findings if found.code == "carry-refused" and at != first]
        for found in step.findings if told else refused:
            said = view.finding(found, report.problem)
            lines += view.wrapped(view.say("note-step", number=at + 1, name=step.step, text=said), "  ")
    return lines


def _points(report: Report, view: View) -> Line:
    code = "points-all" if report.status == "right" else "points-line"
    said = view.say(code, points=view.points(report.points), most=view.points(report.max_points))
    return Line(view.clip(said), style=HEADING)


def _blank_line(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines with an empty one before them, if there are any."""
    if lines:
        yield Line()
        yield from lines
