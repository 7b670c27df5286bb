"""A mask as people type it: 0 and -inf, true and false, or 1 and 0; brought to 0 (allowed) and -inf (blocked)."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from grader.model import Cell, Finding
from grader.worksheet.letters import truth_of
from grader.worksheet.matrix import Matrix, read_matrix
from grader.worksheet.numbers import Read, read_number
from grader.worksheet.unreadable import Unreadable, short

ALLOWED: Final = Fraction(0)
BLOCKED: Final = -math.inf
LARGE: Final = -950
"""A number this far below zero does what minus infinity does: with any score of a worksheet (200 at most) added to it,
exp of it is 0 in NumPy as well."""


class Mask(NamedTuple):
    """A mask as 0 and -inf; `words` if it was typed as true and false, or as 1 and 0."""

    matrix: Matrix
    words: bool


def read_mask(text: str, wanted: tuple[int, ...]) -> Mask:
    """The mask in `text`, with how it was read among the notices. Raises `Unreadable`."""
    matrix = read_matrix(text, wanted, _read_cell)
    typed = [cell for cell in matrix.cells if cell.value is not None]
    if any(truth_of(cell.raw) is not None for cell in typed):
        return Mask(_as_booleans(matrix, typed, ()), words=True)
    if any(cell.value == 1 for cell in typed):
        return Mask(_as_booleans(matrix, typed, (Finding("notice-mask-ones"),)), words=True)
    if typed and all(cell.value == 0 for cell in typed):
        return Mask(Matrix(matrix.shape, matrix.cells, (Finding("notice-mask-zeros"),)), words=False)
    return Mask(as_infinite(Matrix(matrix.shape, matrix.cells, ())), words=False)


def as_infinite(matrix: Matrix) -> Matrix:
    """The matrix with minus infinity for numbers that do the same, and that said."""
    large = [cell for cell in matrix.cells if cell.value is not None and LARGE >= cell.value > -math.inf]
    said = tuple(Finding("notice-mask-large", {"text": short(cell.raw)}) for cell in large[:1])
    cells = tuple(replace(cell, value=BLOCKED, decimals=None) if cell in large else cell for cell in matrix.cells)
    return Matrix(matrix.shape, cells, matrix.notices + said)


def read_bit(text: str) -> Read:
    """A word as 1 or 0, where a mask's own 1 and 0 are asked for; a number as itself."""
    truth = truth_of(text)
    return read_number(text) if truth is None else Read(Cell(text.strip(), Fraction(truth), None))


def _read_cell(text: str) -> Read:
    """A word as 1 or 0, a number as itself if it can stand in a mask."""
    if truth_of(text) is not None:
        return read_bit(text)
    read = read_number(text, infinite=True)
    value = read.cell.value
    if value is None or value in {0, 1} or math.isinf(value) or value <= LARGE:
        return read
    raise Unreadable("mask-value", text=short(text))


def _as_booleans(matrix: Matrix, typed: list[Cell], said: tuple[Finding, ...]) -> Matrix:
    """A mask whose cells say true (allowed) or false (blocked)."""
    for cell in typed:
        if cell.value not in {0, 1}:
            raise Unreadable("mask-mixed", text=short(cell.raw))
    cells = tuple(cell if cell.value is None else _allowed_if(cell) for cell in matrix.cells)
    return Matrix(matrix.shape, cells, said)


def _allowed_if(cell: Cell) -> Cell:
    """A cell that says 1 or 0, as 0 or -inf."""
    return Cell(cell.raw, ALLOWED if cell.value else BLOCKED, None)
