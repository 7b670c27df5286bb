"""What a wrong value comes of: mistakes, digits lost on the way, right numbers in the wrong place, slips."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.judge import digits, explain, misplaced, rounded, slips
from grader.judge.compare import as_finely, differing, expected
from grader.judge.sheet import Mark, Sheet, additive
from grader.model import Array, Finding

Found = tuple[Finding, ...]


def of_value(sheet: Sheet, mark: Mark, own: Array | None, targets: Sequence[Array]) -> tuple[Finding, ...]:
    """What is said of a wrong value of the right shape.

    `own` is what should stand here by the learner's own values, `targets` all that would be right.
    """
    found = (
        _unlowered(sheet, mark, own)
        or explained(sheet, mark, own)
        or digits.last_digit(mark, targets)
        or rounded.on_the_way(sheet.follower, mark.blank, mark.answer)
        or rounded.of_digits(mark.answer, targets, mark.blank)
        or digits.far_too_short(mark, targets)
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
            slips.Cells(mark.blank, mark.answer, mark.want, (), None, {}), sheet.others(mark.blank)
        )
    return (*found, *elsewhere)


def explained(sheet: Sheet, mark: Mark, own: Array | None) -> tuple[Finding, ...]:
    """The mistakes that give what was typed, of whatever shape; `own` is what should stand here, if that is known."""
    others = tuple(one for one in sheet.typed if one[0].name != mark.blank.name)
    blank = as_finely(mark.blank, mark.answer)
    question = explain.Question(
        sheet.follower, blank, mark.answer, sheet.mistakes, own, sheet.about, others, sheet.empty
    )
    return explain.of_blank(question)


def _weighed(sheet: Sheet, found: Found, elsewhere: Found) -> tuple[Found, Found]:
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


def _explains_too(sheet: Sheet, found: Sequence[Finding], name: str) -> bool:
    """Whether the mistakes found in one blank give what was typed in another as well."""
    blank, answer = next(one for one in sheet.typed if one[0].name == name)
    sets = [ids for one in found for ids in (one.mistakes, *one.alternatives) if ids]
    for made in sheet.made(sets):
        own = sheet.follower.own(blank, made)
        if own is not None and own.shape == answer.shape and not differing(answer, additive(own), blank.decimals):
            return True
    return False


def _elsewhere(sheet: Sheet, mark: Mark) -> tuple[Finding, ...]:
    """Said beside a mistake too, as both may fit: the numbers of another token, or two blanks exchanged."""
    step = mark.blank.step or ""
    if mark.blank.kind != "numbers" or mark.want.shape != mark.answer.shape or not np.all(np.isfinite(mark.want)):
        return ()
    cells = slips.Cells(mark.blank, mark.answer, mark.want, (), None, {step: sheet.right[step]})
    return (
        misplaced.of_unchanged(cells, sheet.right)
        or misplaced.of_exchange(cells, sheet.others(mark.blank))
        or misplaced.of_another_place(cells)
    )


def _in_one_row(sheet: Sheet, mark: Mark, want: Array) -> tuple[Finding, ...]:
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
    found = explained(sheet, Mark(blank, answer, want[row]), want[row])
    if not found or found[0].code in {"offered", "several-mistakes"}:
        return ()
    first, *further = found
    steps = {way.id: way.step for way in sheet.mistakes}
    if not all(name in sheet.about or steps[name] == mark.blank.step for name in first.mistakes):
        return ()
    return first, Finding("in-one-row", {"row": row, "blank": mark.blank.name}), *further


def _slipped(sheet: Sheet, mark: Mark, own: Array | None) -> tuple[Finding, ...]:
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


def _unlowered(sheet: Sheet, mark: Mark, own: Array | None) -> tuple[Finding, ...]:
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


def _lowered(sheet: Sheet, cells: slips.Cells) -> tuple[Finding, ...]:
    """Another subtraction than that of the row's maximum, where that is the step."""
    if cells.blank.step != "minus_max":
        return ()
    before = expected(replace(cells.blank, step="masked"), {**sheet.right, **sheet.follower.before("minus_max")})
    return slips.of_lowering(cells, before, rounded=sheet.follower.is_rounded(cells.blank))
