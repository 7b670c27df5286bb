"""The first step that differs, in full: the values, the named mistake, where to look; for code the failing case."""

import re
from collections.abc import Iterable, Sequence

from grader.model import Array, Finding, Report, StepReport
from grader.show import matrix, text
from grader.show.command import command
from grader.show.escape import escape_lines
from grader.show.number import shown
from grader.show.terminal import layout
from grader.show.terminal.line import Line
from grader.show.terminal.view import HEADING, QUIET, View, is_done

INDENT = "    "
MOST_CELLS = 6
MOST_OUTPUT = 10
MOST_PAGES = 4
MOST_FRAMES = 5
_TRUTHS = re.compile(r"[\[\], _]*[TF][\[\], _TF]*")
CODE_STATUSES = frozenset({"not-written", "crashed", "stopped"})


def lines(report: Report, first: int | None, view: View) -> list[Line]:
    """The first difference of a report, or nothing if all its steps are done."""
    if first is None and not report.findings:
        return []
    step = report.steps[first] if first is not None else None
    made = view.wrapped(_heading(report, first, view), style=HEADING)
    if step is not None and _is_untouched(report, step):
        return made + view.wrapped(view.say("open-file", file=view.path(report.file)), "  ") if report.file else made
    made += _values(report, step, view)
    told = _together(report, step)
    if not told and step is not None and step.status == "wrong":
        made += _unnamed(first or 0, view)
    for place, found in enumerate(told):
        made += _finding(found, report, view, with_gap=place > 0 or len(made) > 1)
    return made + _output(report, view)


def _unnamed(first: int, view: View) -> list[Line]:
    """What can be said where no mistake is named: nobody is accused of one."""
    said = [view.say("none-named"), view.say("before-right") if first else ""]
    return [Line(), *view.wrapped(text.join(said, view.lang), "  ")]


def expected_values(report: Report, first: int | None, view: View) -> list[Line]:
    """What every step that is not done should have held, but for the first, which stands beside the learner's own.

    A function's stand beside what it returned in the failing case; if it returned nothing, that is said.
    """
    steps = [
        step
        for at, step in enumerate(report.steps)
        if not is_done(step) and step.expected is not None and (at != first or step.yours is None)
    ]
    blocks = [_block(view.safe(step.step), step.expected, view) for step in steps]
    if blocks:
        return view.lines([view.say("expected-values")], HEADING) + _flow(blocks, view)
    returned = report.failing is not None and report.failing.yours is not None
    is_bare = is_code(report) and first is not None and not returned
    return view.wrapped(view.say("nothing-to-compare")) if is_bare else []


def is_code(report: Report) -> bool:
    """Whether a report is about a function rather than a worksheet."""
    is_python = report.file is not None and report.file.suffix == ".py"
    return is_python or report.failing is not None or any(step.status in CODE_STATUSES for step in report.steps)


def is_half_filled(step: StepReport) -> bool:
    """Whether some cells of a blank are filled in, rightly, and others not yet."""
    return step.status == "blank" and any(found.code == "cells-empty" for found in step.findings)


def _is_untouched(report: Report, first: StepReport) -> bool:
    """Whether a worksheet has nothing filled in at all; `first` is the step to look at."""
    return report.status == "blank" and not is_code(report) and not is_half_filled(first)


def _heading(report: Report, first: int | None, view: View) -> str:
    if first is None:
        return view.say(f"at-{report.status}" if report.status in CODE_STATUSES else "at-note")
    step = report.steps[first]
    if _is_untouched(report, step):
        return view.say("nothing-filled", number=first + 1, name=step.step)
    code = "at-code" if is_code(report) and step.status == "wrong" else f"at-{step.status}"
    return view.say(code, number=first + 1, name=step.step)


def _together(report: Report, step: StepReport | None) -> list[Finding]:
    """The findings to tell: the step's own and those about the whole, each once, named mistakes first."""
    found = [*(step.findings if step else ()), *report.findings]
    unique = [one for at, one in enumerate(found) if one not in found[:at]]
    return sorted(unique, key=lambda one: not one.mistakes)


def _values(report: Report, step: StepReport | None, view: View) -> list[Line]:
    """What was answered: the failing case of a function, or the typed values with the cells that differ."""
    if report.failing is not None:
        return _failing(report, view)
    if step is None or step.yours is None:
        return _read_as(step, view)
    yours, want = step.yours, step.expected if view.reveal else None
    if _TRUTHS.fullmatch(step.read_as):  # a mask typed as T and F is shown as it was typed
        yours, want = yours == 0, None if want is None else want == 0
    return _pair(view.safe(step.step), yours, want, step.cells, view) + _read_as(step, view)


def _read_as(step: StepReport | None, view: View) -> list[Line]:
    if step is None or not step.read_as:
        return []
    return view.wrapped(view.say("read-as", text=step.read_as), "  ", QUIET)[:3]


def _failing(report: Report, view: View) -> list[Line]:
    """The smallest failing case: its inputs, what came back, what was expected."""
    case = report.failing
    assert case is not None  # noqa: S101 -- asked before
    code = "stopping-case" if case.yours is None else "failing-case"
    made = view.lines([view.say(code, name=case.name)])
    inputs = [_block(view.safe(name), array, view) for name, array in case.inputs.items()]
    made += _flow(inputs, view)
    yours, want = case.yours, case.expected
    if yours is None:
        return made  # it stops: there is nothing of yours to put beside anything
    cells = matrix.differing(yours, want)
    return [*made, Line(), *_pair(view.safe(case.returned), yours, want, cells, view)]


def _pair(name: str, yours: Array, want: Array | None, cells: Iterable[tuple[int, ...]], view: View) -> list[Line]:
    """The learner's array with its differing cells marked, and the expected one beside it if it may be shown."""
    marked = sorted(cells)
    arrays = [yours] if want is None else [yours, want]
    width = view.width - 2 * len(INDENT)
    grids = _grids(arrays, marked, width, view)
    if len(grids) > 1 and any(grid.part for grid in grids):
        grids = _grids(arrays, marked, width // 2 - 2, view)
    names = [view.say(role, name=name) for role in ("yours", "expected")]
    blocks = [_block(title, array, view, grid) for title, array, grid in zip(names, arrays, grids, strict=False)]
    made = _flow(blocks, view)
    return made + (_cells_in_words(marked, view) if view.paper.plain and yours.size > 1 else [])


def _grids(arrays: Sequence[Array], marked: Sequence[tuple[int, ...]], width: int, view: View) -> list[matrix.Grid]:
    """One array, or two written alike; the cells are marked in the first, where plain text names them in words."""
    first, last = arrays[0], arrays[-1]
    decimals = matrix.decimals_apart(first, last, marked if first is not last else ())
    return [
        matrix.grid(
            array,
            decimals=decimals,
            marked=marked if array.shape == first.shape else (),
            sign=matrix.MARK if array is first and not view.paper.plain else " ",
            width=width,
        )
        for array in arrays
    ]


def _block(name: str, array: Array | None, view: View, grid: matrix.Grid | None = None) -> list[str]:
    """One array under its name, a single number beside it; what part is shown, if it is not all."""
    if array is None:
        return [f"{name} = None"]
    grid = grid or matrix.grid(array, width=view.width - 2 * len(INDENT))
    if array.ndim == 0:
        return [f"{name} = {view.paper.fit(grid.lines[0])}"]
    head = [f"{name}{grid.part}", view.say("of-shape", shape=str(array.shape))] if grid.part else [name]
    return [*head, *(view.paper.fit(f"  {line}") for line in grid.lines)]


def _flow(blocks: Iterable[Sequence[str]], view: View) -> list[Line]:
    laid = matrix.flow(blocks, view.width - len(INDENT), measure=layout.measure)
    made = view.lines(INDENT + line for line in laid)
    for line in made:
        for cell in re.finditer(r"\S+\*(?=\s|$)", line.text):
            line.stylize("red", *cell.span())
    return made


def _cells_in_words(cells: Sequence[tuple[int, ...]], view: View) -> list[Line]:
    if not cells:
        return []
    named = ", ".join(f"[{shown(cell)}]" for cell in cells[:MOST_CELLS])
    left = len(cells) - MOST_CELLS
    more = [view.say("more-cells", count=left)] if left > 0 else []
    return view.wrapped(text.join([view.say("marked-cells", cells=named), *more], view.lang), INDENT)


def _finding(found: Finding, report: Report, view: View, *, with_gap: bool) -> list[Line]:
    """One finding: where, the mistake's title, what was done and where to look."""
    made = [Line()] if with_gap else []
    made += _place(found, report, view)
    if named := text.heading(found, view.words, view.lang):
        made += view.wrapped(view.paper.fit(named), "  ", HEADING)
    for paragraph in text.paragraphs(found, view.words, view.lang, report.problem):
        made += view.wrapped(view.paper.fit(paragraph), "  ")
    made += _more(found, view)
    return made + _frames(found, report, view)


def _more(found: Finding, view: View) -> list[Line]:
    """Which pages say more: of every mistake that it may be, up to a few."""
    made: list[Line] = []
    names = dict.fromkeys(name for each in (found.mistakes, *found.alternatives) for name in each)
    for name in list(names)[:MOST_PAGES]:
        if name in view.words.pages:
            made += view.wrapped(view.say("more-on", command=command("explain", name)), "  ", QUIET)
    return made


def _place(found: Finding, report: Report, view: View) -> list[Line]:
    if found.line is None or report.file is None or len(_called(found)) > 1:
        return []
    return view.lines([f"  {view.path(report.file, found.line)}"], QUIET)


def _frames(found: Finding, report: Report, view: View) -> list[Line]:
    """The learner's own lines of a traceback, the innermost last; one alone says no more than the place."""
    made: list[Line] = []
    for line, function, source in _called(found) if len(_called(found)) > 1 else ():
        where = view.say("frame-line", place=view.path(report.file, line) or line, function=function)
        made += view.lines([f"{INDENT}{where}"], QUIET)
        made += view.lines([f"{INDENT}{INDENT}{view.safe(str(source).strip())}"])
    return made


def _called(found: Finding) -> Sequence[tuple[int, str, str]]:
    """The learner's own lines that led to an error: line, function, source."""
    frames: Sequence[tuple[int, str, str]] = found.numbers.get("frames", ())
    return frames[-MOST_FRAMES:]


def _output(report: Report, view: View) -> list[Line]:
    """What the code printed, cut to a few lines."""
    if not report.output.strip():
        return []
    printed, left = escape_lines(report.output, MOST_OUTPUT)
    more = [view.paper.fit("… ") + view.say("more-lines", count=left)] if left else []
    heading = view.lines([view.say("output-heading")], HEADING)
    return [Line(), *heading, *view.lines(INDENT + view.paper.fit(line) for line in [*printed, *more])]
