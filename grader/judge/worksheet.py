"""Judge the answers of one worksheet, step by step, each from the learner's own earlier values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from grader.judge import explain, misplaced, options, rounded, slips
from grader.judge.compare import as_finely, coarse, cut_off, cut_short, differing, expected, indices, off_by_one, typed
from grader.judge.follow import Follower, is_degenerate
from grader.model import Answer, Array, Blank, Finding, Mistake, Status, StepReport, Trace, Variant
from grader.trace import applicable, pipelines, run, to_arrays

_MOST_CELLS_NAMED = 6
IMPRECISE_SHARE = Fraction(1, 2)
"""What a right value with too few digits earns until the digits are typed."""


@dataclass(frozen=True)
class _Sheet:
    """What judging one worksheet needs at every blank; `typed` holds its full answers, `empty` step -> open blank."""

    right: Trace
    follower: Follower
    about: Sequence[str]
    typed: tuple[tuple[Blank, Answer], ...]
    empty: Mapping[str, str]

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes that can be made by hand here; a sheet without a wrong answer does without."""
        possible = applicable(self.follower.pipeline, self.follower.inputs, self.right)
        return tuple(mistake for mistake in possible if mistake.made != "code")


def judge(variant: Variant, answers: Mapping[str, Answer]) -> tuple[StepReport, ...]:
    """Mark every blank, in the template's order; steps are followed in the pipeline's order."""
    pipeline = pipelines()[variant.template.pipeline]
    inputs = to_arrays(variant.inputs)
    right = run(pipeline, inputs)
    full = tuple((blank, answers[blank.name]) for blank in variant.blanks if _is_full(answers[blank.name], blank))
    empty = {blank.step or "": blank.name for blank in variant.blanks if answers[blank.name].state == "blank"}
    sheet = _Sheet(right, Follower(pipeline, inputs, right), variant.template.about, full, empty)
    in_order = sorted(variant.blanks, key=lambda blank: sheet.follower.order.get(blank.step or "", -1))
    marked: dict[str, StepReport] = {}
    for blank in in_order:
        marked[blank.name] = _judge(sheet, blank, answers[blank.name], marked)
    return tuple(marked[blank.name] for blank in variant.blanks)


def _is_full(answer: Answer, blank: Blank) -> bool:
    return blank.kind in {"numbers", "mask", "shape"} and answer.state == "read" and typed(answer) is not None


def _judge(sheet: _Sheet, blank: Blank, answer: Answer, marked: Mapping[str, StepReport]) -> StepReport:
    if answer.state == "blank":
        return StepReport(blank.name, "blank", Fraction(0), blank.points, expected=_want(blank, sheet))
    if answer.state == "unreadable":
        reason = (answer.reason,) if answer.reason else ()
        return StepReport(blank.name, "unreadable", Fraction(0), blank.points, reason + answer.notices)
    if blank.kind in {"choice", "choices", "truth"}:
        return options.judge(blank, answer)
    return _judge_values(sheet, blank, answer, marked)


def _judge_values(sheet: _Sheet, blank: Blank, answer: Answer, marked: Mapping[str, StepReport]) -> StepReport:
    want = _additive(expected(blank, sheet.right))
    mark = _Mark(blank, answer, want)
    value = typed(answer)
    if answer.shape != want.shape:
        return mark.wrong((), _wrong_shape(want, value, answer, blank), *_explained(sheet, mark, None))
    cells = differing(answer, want, blank.decimals)
    if not cells:
        sheet.follower.take(blank, want if value is None else value, want)
        return mark.with_status("right", 1)
    if value is None:
        return _half_filled(mark, cells)
    followed = _followed(sheet, mark, cells, marked)
    own = sheet.follower.own(blank)
    sheet.follower.take(blank, value, None if own is None else _additive(own))
    return followed


def _followed(
    sheet: _Sheet, mark: "_Mark", cells: tuple[tuple[int, ...], ...], marked: Mapping[str, StepReport]
) -> StepReport:
    """A value that is not the reference's: carried, too coarse, or wrong with what explains it."""
    blank = mark.blank
    own = sheet.follower.own(blank)
    own = _additive(own) if own is not None else None
    if own is not None and own.shape == mark.want.shape and _follows(sheet, mark, own):
        blamed = _before(sheet, blank, marked, "wrong", "carried")
        if not blamed:
            return _rounded_early(sheet, mark, cells, marked)
        if any(report.yours is not None and is_degenerate(report.yours) for report in blamed):
            return mark.wrong(cells, Finding("carry-refused", {"earlier": blamed[-1].step}))
        return mark.with_status("carried", 1, Finding("carried", {"earlier": blamed[-1].step}), cells=cells)
    again = _same_mistake(sheet, mark, marked)
    if again is not None:
        return mark.with_status("carried", 1, Finding("carried-again", {"earlier": again.step}), cells=cells)
    targets = [mark.want] if own is None or own.shape != mark.want.shape else [mark.want, own]
    short = _too_short(mark, targets)
    if short is not None:
        return mark.with_status("imprecise", IMPRECISE_SHARE, short, cells=cells)
    found = (
        _unlowered(sheet, mark, own)
        or _explained(sheet, mark, own)
        or _last_digit(mark, targets)
        or rounded.on_the_way(sheet.follower, mark.blank, mark.answer)
        or rounded.of_digits(mark.answer, targets, mark.blank)
        or _far_too_short(mark, targets)
    )
    elsewhere = _elsewhere(sheet, mark)
    found, elsewhere = _weighed(sheet, found, elsewhere)
    if not found and (not elsewhere or mark.want.size == 1):  # a whole row of another token's numbers is no slip
        found = _slipped(sheet, mark, own)
        elsewhere = () if found else elsewhere
    if not elsewhere and all(one.code.startswith("perhaps") for one in found):
        found = _in_one_row(sheet, mark, targets[-1]) or found
    if not found and not elsewhere:
        found = misplaced.of_another_blank(
            slips.Cells(mark.blank, mark.answer, mark.want, (), None, {}), _others(sheet, mark)
        )
    return mark.wrong(cells, *found, *elsewhere)


def _too_short(mark: "_Mark", targets: Sequence[Array]) -> Finding | None:
    """A finding if the answer is right but for its digits: too few of them, or the rest cut off."""
    answer, decimals = mark.answer, mark.blank.decimals
    numbers = {"decimals": decimals, "blank": mark.blank.name}
    if any(coarse(answer, target, decimals, differing(answer, target, decimals)) for target in targets):
        return Finding("imprecise", numbers)
    if any(cut_off(answer, target, decimals) for target in targets):
        return Finding("cut-off", numbers)
    return Finding("cut-short", numbers) if any(cut_short(answer, target, decimals) for target in targets) else None


def _far_too_short(mark: "_Mark", targets: Sequence[Array]) -> tuple[Finding, ...]:
    """A finding if the answer is right as far as it goes, which is less than half of the asked decimals."""
    answer, decimals = mark.answer, mark.blank.decimals
    if any(coarse(answer, target, decimals, differing(answer, target, decimals), 1) for target in targets):
        return (Finding("far-too-few", {"decimals": decimals, "blank": mark.blank.name}),)
    return ()


def _last_digit(mark: "_Mark", targets: Sequence[Array]) -> tuple[Finding, ...]:
    """A finding if the answer is right but for one unit of the last digit, where rounding decides it."""
    found = (off_by_one(mark.answer, target, mark.blank.decimals) for target in targets)
    places = next((one for one in found if one), ())
    if not places:
        return ()
    cell = f"[{', '.join(map(str, places[0]))}]" if places[0] else ""
    return (Finding("last-digit", {"cell": mark.blank.name + cell, "decimals": mark.blank.decimals}),)


def _half_filled(mark: "_Mark", cells: tuple[tuple[int, ...], ...]) -> StepReport:
    """A blank with empty cells: not finished if what stands there is right, else wrong at those cells."""
    empty = {
        index for index, cell in zip(indices(mark.want.shape), mark.answer.cells, strict=True) if cell.value is None
    }
    wrong = tuple(index for index in cells if index not in empty)
    numbers = {"count": len(empty), "total": mark.want.size, "blank": mark.blank.name}
    if not wrong:
        return mark.with_status("blank", 0, Finding("cells-empty", numbers))
    named = ", ".join(f"[{', '.join(map(str, index))}]" for index in wrong[:_MOST_CELLS_NAMED])
    more = ", …" if len(wrong) > _MOST_CELLS_NAMED else ""
    return mark.with_status("wrong", 0, Finding("cells-empty-wrong", {**numbers, "cells": named + more}), cells=wrong)


def _rounded_early(
    sheet: _Sheet, mark: "_Mark", cells: tuple[tuple[int, ...], ...], marked: Mapping[str, StepReport]
) -> StepReport:
    """Right for the learner's own earlier values; said to be rounded too early if one of them is too coarse."""
    coarser = _before(sheet, mark.blank, marked, "imprecise")
    if not coarser:
        return mark.with_status("right", 1)
    return mark.with_status("carried", 1, Finding("rounded-early", {"earlier": coarser[-1].step}), cells=cells)


def _follows(sheet: _Sheet, mark: "_Mark", own: Array) -> bool:
    """Whether the answer is the learner's own earlier values gone on with, as typed or before they were rounded."""
    cells = differing(mark.answer, own, mark.blank.decimals)
    if not cells:
        return True
    if mark.blank.kind != "numbers" or not np.all(np.isfinite(own)):
        return False
    return not differing(mark.answer, own, mark.blank.decimals, sheet.follower.spread(mark.blank, own))


def _same_mistake(sheet: _Sheet, mark: "_Mark", marked: Mapping[str, StepReport]) -> StepReport | None:
    """The earlier step whose mistakes, made again here, give this answer: one mistake costs once."""
    for report in marked.values():
        for made in _suspects(sheet, report):
            own = sheet.follower.own(mark.blank, made)
            if own is not None and own.shape == mark.want.shape and _follows(sheet, mark, _additive(own)):
                return report
    return None


_Found = tuple[Finding, ...]


def _weighed(sheet: _Sheet, found: _Found, elsewhere: _Found) -> tuple[_Found, _Found]:
    """Mistakes, and right numbers in the wrong place, where one or the other was found or both.

    Two blanks exchanged explain both: a mistake must as well. Against one right row of another place stand several
    mistakes at once. Where each explains the answer alone, both are guesses; beside what is named a guess is not said.
    """
    sure = any(not one.code.startswith("perhaps") for one in elsewhere)
    for one in elsewhere:
        if one.code.endswith("blanks-exchanged") and not _explains_too(sheet, found, one.numbers["other"]):
            return (() if sure else tuple(other for other in found if other.code != "offered")), elsewhere
    if not found or not elsewhere:
        return found, elsewhere
    if not sure:
        return found, ()
    if any(one.code == "several-mistakes" for one in found):
        return (), elsewhere
    if not any(one.mistakes and one.code != "offered" for one in found):
        return found, elsewhere
    guessed = (replace(one, code="offered", numbers={"mistake": one.mistakes[0]}) for one in found if one.mistakes)
    return tuple(guessed), tuple(replace(one, code=f"perhaps-{one.code}") for one in elsewhere)


def _explains_too(sheet: _Sheet, found: Sequence[Finding], name: str) -> bool:
    """Whether the mistakes found in one blank give what was typed in another as well."""
    blank, answer = next(one for one in sheet.typed if one[0].name == name)
    sets = [ids for one in found for ids in (one.mistakes, *one.alternatives) if ids]
    for made in _made(sheet, sets):
        own = sheet.follower.own(blank, made)
        if own is not None and own.shape == answer.shape and not differing(answer, _additive(own), blank.decimals):
            return True
    return False


def _suspects(sheet: _Sheet, report: StepReport) -> Iterator[tuple[Mistake, ...]]:
    """The mistakes that may have made a wrong step what it is: each set that was said, in each way of making it."""
    if report.status == "wrong":
        sets = dict.fromkeys(one for found in report.findings for one in (found.mistakes, *found.alternatives))
        yield from _made(sheet, [ids for ids in sets if ids])


def _made(sheet: _Sheet, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[Mistake, ...]]:
    """These sets of mistakes in every way of making them."""
    for ids in sets:
        yield from product(*([way for way in sheet.mistakes if way.id == name] for name in ids))


def _before(sheet: _Sheet, blank: Blank, marked: Mapping[str, StepReport], *statuses: Status) -> list[StepReport]:
    """The steps of these statuses whose values were carried up to this blank."""
    taken = sheet.follower.taken_before(blank)
    return [report for name, report in marked.items() if name in taken and report.status in statuses]


def _explained(sheet: _Sheet, mark: "_Mark", own: Array | None) -> tuple[Finding, ...]:
    others = tuple(one for one in sheet.typed if one[0].name != mark.blank.name)
    blank = as_finely(mark.blank, mark.answer)
    question = explain.Question(
        sheet.follower, blank, mark.answer, sheet.mistakes, own, sheet.about, others, sheet.empty
    )
    return explain.of_blank(question)


def _in_one_row(sheet: _Sheet, mark: "_Mark", want: Array) -> tuple[Finding, ...]:
    """One mistake made in a single row, the others being right. Never a guess.

    A row is short, and numbers on a coarse grid are soon hit: only mistakes of this very step, or that the template is
    about.
    """
    rows = {index[:1] for index in differing(mark.answer, want, mark.blank.decimals)}
    if want.ndim != 2 or len(rows) != 1 or len(want) < 2:  # noqa: PLR2004 -- rows of a matrix
        return ()
    ((row,),) = rows
    width = want.shape[1]
    blank = replace(mark.blank, cells=(*mark.blank.cells, row), shape=want.shape[1:])
    answer = replace(mark.answer, shape=want.shape[1:], cells=mark.answer.cells[row * width : (row + 1) * width])
    found = _explained(sheet, _Mark(blank, answer, want[row]), want[row])
    if not found or found[0].code in {"offered", "several-mistakes"}:
        return ()
    first, *further = found
    steps = {way.id: way.step for way in sheet.mistakes}
    if not all(name in sheet.about or steps[name] == mark.blank.step for name in first.mistakes):
        return ()
    return first, Finding("in-one-row", {"row": row, "blank": mark.blank.name}), *further


def _slipped(sheet: _Sheet, mark: "_Mark", own: Array | None) -> tuple[Finding, ...]:
    """Slips at single cells, against the learner's own earlier values or, failing that, the reference's."""
    blank, step = mark.blank, mark.blank.step or ""
    how = next((one for one in sheet.follower.pipeline.steps if one.name == step), None)
    own_values = {**sheet.right, **sheet.follower.before(step)}
    targets = [(mark.want, sheet.right)] if own is None else [(own, own_values), (mark.want, sheet.right)]
    for target, values in targets:
        wrong = differing(mark.answer, target, blank.decimals)
        whole = sheet.follower.whole(blank) if values is own_values else sheet.right[step]
        cells = slips.Cells(blank, mark.answer, target, wrong, how, {**values, step: whole})
        found = (
            _lowered(sheet, cells)
            or slips.of_blocked(cells)
            or slips.of_every_cell(cells)
            or slips.of_copied_row(cells)
            or slips.of_order(cells)
            or slips.of_cells(cells)
        )
        if found:
            return found
    return ()


def _unlowered(sheet: _Sheet, mark: "_Mark", own: Array | None) -> tuple[Finding, ...]:
    """Another subtraction than that of the row's maximum, before any mistake that goes on from it: nothing has gone on.

    What was typed for later steps is right, which that makes no difference to, or not there.
    """
    step, follower = mark.blank.step or "", sheet.follower
    if step != "minus_max" or own is None or own.shape != mark.answer.shape:
        return ()
    for blank, answer in sheet.typed:
        if step in follower.made_of(blank.step or "") and differing(
            answer, expected(blank, sheet.right), blank.decimals
        ):
            return ()
    how = next(one for one in follower.pipeline.steps if one.name == step)
    values = {**sheet.right, **follower.before(step)}
    cells = slips.Cells(mark.blank, mark.answer, own, differing(mark.answer, own, mark.blank.decimals), how, values)
    return _lowered(sheet, cells)


def _lowered(sheet: _Sheet, cells: slips.Cells) -> tuple[Finding, ...]:
    """Another subtraction than that of the row's maximum, where that is the step."""
    if cells.blank.step != "minus_max":
        return ()
    before = expected(replace(cells.blank, step="masked"), {**sheet.right, **sheet.follower.before("minus_max")})
    return slips.of_lowering(cells, before, rounded=sheet.follower.is_rounded(cells.blank))


def _elsewhere(sheet: _Sheet, mark: "_Mark") -> tuple[Finding, ...]:
    """Said beside a mistake too, as both may fit: the numbers of another token, or two blanks exchanged."""
    step = mark.blank.step or ""
    if mark.blank.kind != "numbers" or mark.want.shape != mark.answer.shape or not np.all(np.isfinite(mark.want)):
        return ()
    cells = slips.Cells(mark.blank, mark.answer, mark.want, (), None, {step: sheet.right[step]})
    return (
        misplaced.of_unchanged(cells, sheet.right)
        or misplaced.of_exchange(cells, _others(sheet, mark))
        or misplaced.of_another_place(cells)
    )


def _others(sheet: _Sheet, mark: "_Mark") -> list[misplaced.Other]:
    """The other blanks of numbers with what was typed and what is right there."""
    typed_there = [one for one in sheet.typed if one[0] is not mark.blank and one[0].kind == "numbers"]
    return [(blank, answer, expected(blank, sheet.right)) for blank, answer in typed_there]


def _wrong_shape(want: Array, value: Array | None, answer: Answer, blank: Blank) -> Finding:
    if len(want.shape) < 2 and len(answer.shape) < 2:  # noqa: PLR2004 -- no rows and columns: so many numbers
        least = 0 if blank.kind == "shape" else 1  # the shape of a number has no sizes
        count = {"got": max(least, len(answer.cells)), "wanted": want.size, "blank": blank.name}
        return Finding("wrong-sizes" if blank.kind == "shape" else "wrong-count", count)
    numbers = {"got": _named(answer.shape), "wanted": _named(want.shape), "blank": blank.name}
    turned = value is not None and value.T.shape == want.shape and value.ndim > 1
    if turned and value is not None:
        turned = bool(np.allclose(value.T, want, rtol=0, atol=10.0**-blank.decimals))
    return Finding("wrong-shape-transposed" if turned else "wrong-shape", numbers)


def _named(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, (1,) * (2 - len(shape)) + shape))  # a row or a number alone is a matrix as well


def _want(blank: Blank, sheet: _Sheet) -> Array | None:
    return _additive(expected(blank, sheet.right)) if blank.step and blank.step in sheet.right else None


def _additive(array: Array) -> Array:
    """A boolean mask as 0 / -inf, as masks are read from a worksheet; anything else as it is."""
    return np.where(array, 0.0, -np.inf) if array.dtype == bool else array


@dataclass(frozen=True, slots=True)
class _Mark:
    """One blank on its way to a report."""

    blank: Blank
    answer: Answer
    want: Array

    def wrong(self, cells: tuple[tuple[int, ...], ...], *findings: Finding) -> StepReport:
        return self.with_status("wrong", 0, *findings, cells=cells)

    def with_status(
        self, status: Status, share: Fraction | int, *findings: Finding, cells: tuple[tuple[int, ...], ...] = ()
    ) -> StepReport:
        return StepReport(
            self.blank.name,
            status,
            self.blank.points * share,
            self.blank.points,
            findings + self.answer.notices,
            cells,
            self.answer.read_as,
            typed(self.answer),
            self.want,
        )
