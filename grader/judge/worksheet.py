"""Judge the answers of one worksheet, step by step, each from the learner's own earlier values."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from grader.judge import causes, digits, options
from grader.judge.compare import differing, expected, indices, typed
from grader.judge.follow import Follower, is_degenerate
from grader.judge.sheet import Mark, Sheet, additive
from grader.model import Answer, Array, Blank, Finding, Status, StepReport, Variant
from grader.trace import pipelines, run, to_arrays

_MOST_CELLS_NAMED = 6
IMPRECISE_SHARE = Fraction(1, 2)
"""What a right value with too few digits earns until the digits are typed."""


def judge(variant: Variant, answers: Mapping[str, Answer]) -> tuple[StepReport, ...]:
    """Mark every blank, in the template's order; steps are followed in the pipeline's order."""
    pipeline = pipelines()[variant.template.pipeline]
    inputs = to_arrays(variant.inputs)
    right = run(pipeline, inputs)
    full = tuple((blank, answers[blank.name]) for blank in variant.blanks if _is_full(answers[blank.name], blank))
    empty = {blank.step or "": blank.name for blank in variant.blanks if answers[blank.name].state == "blank"}
    sheet = Sheet(right, Follower(pipeline, inputs, right), variant.template.about, full, empty)
    in_order = sorted(variant.blanks, key=lambda blank: sheet.follower.order.get(blank.step or "", -1))
    marked: dict[str, StepReport] = {}
    for blank in in_order:
        marked[blank.name] = _judge(sheet, blank, answers[blank.name], marked)
    return tuple(marked[blank.name] for blank in variant.blanks)


def _is_full(answer: Answer, blank: Blank) -> bool:
    return blank.kind in {"numbers", "mask", "shape"} and answer.state == "read" and typed(answer) is not None


def _judge(sheet: Sheet, blank: Blank, answer: Answer, marked: Mapping[str, StepReport]) -> StepReport:
    if answer.state == "blank":
        return StepReport(blank.name, "blank", Fraction(0), blank.points, expected=_want(blank, sheet))
    if answer.state == "unreadable":
        reason = (answer.reason,) if answer.reason else ()
        return StepReport(blank.name, "unreadable", Fraction(0), blank.points, reason + answer.notices)
    if blank.kind in {"choice", "choices", "truth"}:
        return options.judge(blank, answer)
    return _judge_values(sheet, blank, answer, marked)


def _judge_values(sheet: Sheet, blank: Blank, answer: Answer, marked: Mapping[str, StepReport]) -> StepReport:
    want = additive(expected(blank, sheet.right))
    mark = Mark(blank, answer, want)
    value = typed(answer)
    if answer.shape != want.shape:
        return mark.wrong((), _wrong_shape(want, value, answer, blank), *causes.explained(sheet, mark, None))
    cells = differing(answer, want, blank.decimals)
    if not cells:
        sheet.follower.take(blank, want if value is None else value, want)
        return mark.with_status("right", 1)
    if value is None:
        return _half_filled(mark, cells)
    followed = _followed(sheet, mark, cells, marked)
    own = sheet.follower.own(blank)
    sheet.follower.take(blank, value, None if own is None else additive(own))
    return followed


def _followed(
    sheet: Sheet, mark: Mark, cells: tuple[tuple[int, ...], ...], marked: Mapping[str, StepReport]
) -> StepReport:
    """A value that is not the reference's: carried, too coarse, or wrong with what explains it."""
    blank = mark.blank
    own = sheet.follower.own(blank)
    own = additive(own) if own is not None else None
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
    short = digits.too_short(mark, targets)
    if short is not None:
        return mark.with_status("imprecise", IMPRECISE_SHARE, short, cells=cells)
    return mark.wrong(cells, *causes.of_value(sheet, mark, own, targets))


def _half_filled(mark: Mark, cells: tuple[tuple[int, ...], ...]) -> StepReport:
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
    sheet: Sheet, mark: Mark, cells: tuple[tuple[int, ...], ...], marked: Mapping[str, StepReport]
) -> StepReport:
    """Right for the learner's own earlier values; said to be rounded too early if one of them is too coarse."""
    coarser = _before(sheet, mark.blank, marked, "imprecise")
    if not coarser:
        return mark.with_status("right", 1)
    return mark.with_status("carried", 1, Finding("rounded-early", {"earlier": coarser[-1].step}), cells=cells)


def _follows(sheet: Sheet, mark: Mark, own: Array) -> bool:
    """Whether the answer is the learner's own earlier values gone on with, as typed or before they were rounded."""
    cells = differing(mark.answer, own, mark.blank.decimals)
    if not cells:
        return True
    if mark.blank.kind != "numbers" or not np.all(np.isfinite(own)):
        return False
    return not differing(mark.answer, own, mark.blank.decimals, sheet.follower.spread(mark.blank, own))


def _same_mistake(sheet: Sheet, mark: Mark, marked: Mapping[str, StepReport]) -> StepReport | None:
    """The earlier step whose mistakes, made again here, give this answer: one mistake costs once."""
    for report in marked.values():
        for made in sheet.suspects(report):
            own = sheet.follower.own(mark.blank, made)
            if own is not None and own.shape == mark.want.shape and _follows(sheet, mark, additive(own)):
                return report
    return None


def _before(sheet: Sheet, blank: Blank, marked: Mapping[str, StepReport], *statuses: Status) -> list[StepReport]:
    """The steps of these statuses whose values were carried up to this blank."""
    taken = sheet.follower.taken_before(blank)
    return [report for name, report in marked.items() if name in taken and report.status in statuses]


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


def _want(blank: Blank, sheet: Sheet) -> Array | None:
    return additive(expected(blank, sheet.right)) if blank.step and blank.step in sheet.right else None
