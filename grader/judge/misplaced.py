"""Right numbers in the wrong place: those of another token, of another blank, or of before a change."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from grader.judge.chance import NAMED
from grader.judge.compare import differing
from grader.judge.sheet import Other
from grader.judge.slips import Cells, finding, place_of, window
from grader.model import Finding, Trace

NEW: Final = "_new"
"""How the steps are called that are computed after a change."""


def of_unchanged(cells: Cells, right: Trace) -> tuple[Finding, ...]:
    """What was right before the change that a question asks about."""
    step = cells.blank.step or ""
    before = right.get(step.removesuffix(NEW)) if step.endswith(NEW) else None
    if before is None or before[cells.blank.cells].shape != cells.own.shape:
        return ()
    if differing(cells.answer, before[cells.blank.cells], cells.blank.decimals):
        return ()
    return (finding("slip-unchanged", {"blank": cells.blank.name}, sure=window(cells) ** cells.own.size < NAMED),)


def of_another_place(cells: Cells) -> tuple[Finding, ...]:
    """What was typed if it is right for another token, row or cell than the one asked for."""
    whole = cells.values.get(cells.blank.step or "")
    if not cells.blank.cells or whole is None or whole[cells.blank.cells].shape != cells.own.shape:
        return ()
    places = [place for place in np.ndindex(*whole.shape[: len(cells.blank.cells)]) if place != cells.blank.cells]
    found = next((place for place in places if not differing(cells.answer, whole[place], cells.blank.decimals)), None)
    if found is None or not differing(cells.answer, cells.own, cells.blank.decimals):
        return ()
    sure = len(places) * window(cells) ** cells.own.size < NAMED
    return (finding("slip-other-place", {"read": place_of(found), "asked": place_of(cells.blank.cells)}, sure=sure),)


def of_exchange(cells: Cells, others: Sequence[Other]) -> tuple[Finding, ...]:
    """Two blanks that hold each other's answers."""
    for blank, answer, want in _same_as(cells, others):
        if answer.shape == want.shape and not differing(answer, cells.own, blank.decimals):
            both = window(cells) * window(replace(cells, own=want))
            sure = len(others) * both**cells.own.size < NAMED
            numbers = {"blank": cells.blank.name, "other": blank.name}
            return (finding("slip-blanks-exchanged", numbers, sure=sure),)
    return ()


def of_another_blank(cells: Cells, others: Sequence[Other]) -> tuple[Finding, ...]:
    """What was typed if it is right for another blank, and that can be no chance."""
    if len(others) * window(cells) ** cells.own.size >= NAMED:
        return ()
    found = next((blank for blank, *_ in _same_as(cells, others)), None)
    return () if found is None else (Finding("slip-other-blank", {"other": found.name}),)


def _same_as(cells: Cells, others: Sequence[Other]) -> Iterator[Other]:
    """The other blanks whose right answer is what was typed here."""
    for blank, answer, want in others:
        alike = want.shape == cells.own.shape and blank.decimals == cells.blank.decimals
        if alike and not differing(cells.answer, want, blank.decimals):
            yield blank, answer, want
