"""Numbers in rows: lists, NumPy and PyTorch prints, MATLAB, spreadsheets, Markdown and LaTeX, to a shape and cells.

A text has one or more *grids* (ways to see its rows) and a row several *cuts* (ways to see its cells): `[0,5; 0,5]` is
two rows of two to MATLAB and one row of two to someone who types a decimal comma. The reading whose shape is the one
asked for is taken; where none has it, the most natural one is, and its shape is reported as it is.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from grader.model import Cell, Finding
from grader.worksheet.numbers import Read
from grader.worksheet.pasted import Grid, grids
from grader.worksheet.split import CUTS, at_tabs, whole
from grader.worksheet.unreadable import Unreadable, short

ReadCell = Callable[[str], Read]

MAX_CELLS: Final = 4096
_LARGE: Final = re.compile(r"[-+]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")


class Matrix(NamedTuple):
    """Cells in row order, their shape, and what has to be said about how they were read."""

    shape: tuple[int, ...]
    cells: tuple[Cell, ...]
    notices: tuple[Finding, ...] = ()


class _Table(NamedTuple):
    """One way of cutting a text into cells, not read yet."""

    shape: tuple[int, ...]
    texts: tuple[str, ...]


def read_matrix(text: str, wanted: tuple[int, ...], cell: ReadCell) -> Matrix:
    """The matrix in `text`, each cell read by `cell`; of shape `wanted` if it can be seen so. Raises `Unreadable`."""
    first: Unreadable | None = None
    for table in _fitting(text, wanted):
        try:
            return _read(_Table(wanted, table.texts), cell)
        except Unreadable as reason:
            first = first or reason
    if first:
        raise first
    return _natural(text, wanted, cell)


def fits(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether a shape is the one wanted; a row or a column may stand for the other where only one axis is asked for."""
    if shape == wanted:
        return True
    return min(len(shape), len(wanted)) <= 1 and [n for n in shape if n != 1] == [n for n in wanted if n != 1]


def _fitting(text: str, wanted: tuple[int, ...]) -> Iterator[_Table]:
    """Every way of cutting `text` that gives the shape wanted."""
    for grid in grids(text):
        for cut in _cuts(grid, wanted):
            table = _table(grid, cut, wanted)
            if isinstance(table, _Table) and fits(table.shape, wanted):
                yield table


def _natural(text: str, wanted: tuple[int, ...], cell: ReadCell) -> Matrix:
    """The first way of cutting `text` that can be read at all, in its most natural grid."""
    grid = grids(text)[0]
    if not grid.outer and _LARGE.fullmatch(grid.rows[0].strip()):
        cell(grid.rows[0])  # asks back: one number, or two
    first: Unreadable | None = None
    for cut in _cuts(grid, wanted):
        table = _table(grid, cut, wanted)
        if isinstance(table, Unreadable):
            raise first or table
        try:
            return _read(table, cell)
        except Unreadable as reason:
            first = first or reason
    raise first or Unreadable("incomplete", text=short(text))


def _cuts(grid: Grid, wanted: tuple[int, ...]) -> Iterator[Callable[[str], list[str]]]:
    """The ways of cutting that make sense for these rows, most natural first."""
    if grid.tabbed:
        yield at_tabs
        return
    loose = any(re.search(r",\s|;", row) for row in grid.rows)
    alone = all(size == 1 for size in wanted) and not grid.outer and not grid.bracketed
    if alone and not loose:
        yield whole
        return
    for applies, cut in CUTS:
        if any(applies(row) for row in grid.rows):
            yield cut
    if not loose:
        yield whole


def _table(grid: Grid, cut: Callable[[str], list[str]], wanted: tuple[int, ...]) -> _Table | Unreadable:
    """The rows of a grid cut into cells, or why they are no table."""
    width = wanted[-1] if wanted else 1
    rows = [_trimmed(cut(row), width) for row in grid.rows]
    for index, row in enumerate(rows):
        if len(row) != len(rows[0]):
            return Unreadable("ragged", row=index, count=len(row), first=len(rows[0]))
    if len(rows) * len(rows[0]) > MAX_CELLS:
        return Unreadable("too-many", count=len(rows) * len(rows[0]), limit=MAX_CELLS)
    return _Table((*grid.outer, len(rows[0])), tuple(text for row in rows for text in row))


def _trimmed(row: list[str], width: int) -> list[str]:
    """A row without the empty cell behind its last comma, unless that cell is needed."""
    return row[:-1] if len(row) > 1 and not row[-1].strip() and len(row) != width else row


def _read(table: _Table, cell: ReadCell) -> Matrix:
    """A table read cell by cell; the reason of the first that cannot be read names all of them by index."""
    reads: list[Read] = []
    faults: list[tuple[int, Unreadable]] = []
    for index, text in enumerate(table.texts):
        try:
            reads.append(cell(text))
        except Unreadable as reason:
            faults.append((index, reason))
    if faults:
        fault = faults[0][1]
        fault.numbers = {**fault.numbers, "cells": [index_of(index, table.shape) for index, _ in faults]}
        raise fault
    cells = tuple(read.cell for read in reads)
    return Matrix(table.shape, cells, tuple(notice for read in reads for notice in read.notices))


def index_of(place: int, shape: tuple[int, ...]) -> list[int]:
    """The index along each axis of the cell at `place` in row order."""
    index: list[int] = []
    for size in reversed(shape):
        place, along = divmod(place, size)
        index.insert(0, along)
    return index
