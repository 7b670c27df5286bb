"""Arrays as aligned text: one row a line, a `*` at the cells that differ, a window where all would be too much.

Pure text without colour, so that the terminal, a worked solution and a file share it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from grader.model import Array
from grader.show.escape import escape

Cells = frozenset[tuple[int, ...]]

GAP = "  "
MARK = "*"
HEIGHT = 8
"""How many rows of a matrix are shown at most."""

STACK = 20
"""How many lines several matrices may take; with more, only one of them is shown."""

MOST_DECIMALS = 4
FINEST_DECIMALS = 12
PLAIN_BELOW = 1e7
TEXT_LIMIT = 16
NUMERIC = "iufb"
TOLERANCE = 1e-6
"""How close two cells are, relative to the expected one, to be shown as the same."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Lines of an array; `part` is what they show of it, as NumPy would index it, if that is not all."""

    lines: tuple[str, ...]
    part: str | None = None


@dataclass(frozen=True, slots=True)
class _Style:
    """How the cells of one array are written."""

    decimals: int
    marked: Cells
    sign: str

    def text(self, array: Array, index: tuple[int, ...]) -> str:
        slot = (self.sign if index in self.marked else " ") if self.marked else ""
        return cell(array[index], self.decimals) + slot


def cell(value: Any, decimals: int) -> str:
    """One cell: `T` or `F`, an integer, or a number with so many decimals."""
    if isinstance(value, bool | np.bool_):
        return "T" if value else "F"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return _decimal(float(value), decimals)
    if isinstance(value, complex | np.complexfloating):
        real, imaginary = (_decimal(float(part), decimals) for part in (value.real, value.imag))
        return f"{real}{'' if imaginary.startswith('-') else '+'}{imaginary}j"
    return escape(str(value), TEXT_LIMIT)


def decimals_for(*arrays: Array | None, most: int = MOST_DECIMALS) -> int:
    """The fewest decimals, up to `most`, that show all these numbers exactly; integers need none."""
    finite = [_finite(array) for array in arrays if array is not None]
    together = np.concatenate([np.zeros(1), *finite])
    return next((d for d in range(most) if np.allclose(together, np.round(together, d), rtol=0, atol=1e-12)), most)


def decimals_apart(yours: Array, expected: Array, cells: Iterable[tuple[int, ...]]) -> int:
    """Decimals that show two arrays well and keep them apart at the cells that differ."""
    fewest = decimals_for(yours, expected)
    pairs = [(yours[index], expected[index]) for index in cells] if yours.shape == expected.shape else []
    different = [pair for pair in pairs if cell(pair[0], FINEST_DECIMALS) != cell(pair[1], FINEST_DECIMALS)]
    enough = (
        d for d in range(fewest, FINEST_DECIMALS) if all(cell(one, d) != cell(other, d) for one, other in different)
    )
    return next(enough, FINEST_DECIMALS)


def differing(yours: Array, expected: Array) -> list[tuple[int, ...]]:
    """The cells at which two arrays of one shape are not close; none if their shapes differ."""
    if yours.shape != expected.shape:
        return []
    if yours.dtype.kind not in NUMERIC or expected.dtype.kind not in NUMERIC:
        apart = yours != expected
    else:
        mine, want = yours.astype(np.float64), expected.astype(np.float64)
        with np.errstate(invalid="ignore"):
            apart = ~((mine == want) | (np.abs(mine - want) <= TOLERANCE * (1 + np.abs(want))))
    return [tuple(map(int, place)) for place in np.argwhere(apart)]


def grid(
    array: Array,
    *,
    decimals: int | None = None,
    marked: Iterable[tuple[int, ...]] = (),
    sign: str = MARK,
    width: int = 76,
) -> Grid:
    """An array as lines of at most `width`, not many of them, around the first marked cell.

    `sign` stands at the marked cells; a space keeps the same place and part without marking.

    Of more than two dimensions, each matrix stands under its index; if that is too much, only the one in question.
    """
    array = np.asarray(array)
    cells = frozenset(tuple(index) for index in marked)
    style = _Style(decimals_for(array) if decimals is None else decimals, cells, sign)
    if array.size == 0:
        return Grid((f"[]  {array.shape}",))
    if array.ndim == 0:
        return Grid((style.text(array, ()).rstrip(),))
    first = min(cells, default=(0,) * array.ndim)
    window = _window(array, first, style, width)
    return Grid(tuple(_lines(array, window, style)), _part(array.shape, window))


def flow(blocks: Iterable[Sequence[str]], width: int, gap: int = 4, measure: Callable[[str], int] = len) -> list[str]:
    """Blocks of lines side by side as long as they fit, then under each other."""
    bands: list[list[Sequence[str]]] = [[]]
    for block in blocks:
        if bands[-1] and _band_width([*bands[-1], block], gap, measure) > width:
            bands.append([])
        bands[-1].append(block)
    lines: list[str] = []
    for band in bands:
        lines += [""] if lines else []
        lines += _beside(band, gap, measure)
    return lines


def _finite(array: Array) -> Array:
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag])
    if array.dtype.kind not in NUMERIC:
        return np.zeros(0)
    flat = np.asarray(array, dtype=np.float64).ravel()
    return flat[np.isfinite(flat)]


def _decimal(value: float, decimals: int) -> str:
    if not isfinite(value):
        return str(value)
    if abs(value) >= PLAIN_BELOW:
        return f"{value:.3e}"
    if value == 0:
        return "0"
    text = f"{value:.{decimals}f}"
    return text if text.strip("-0.") else text.lstrip("-")


_Window = tuple[range, ...]
"""The indices shown, a range for each dimension."""


def _window(array: Array, first: tuple[int, ...], style: _Style, width: int) -> _Window:
    """All of the array if it fits, else the part around `first`."""
    columns = _span(array.shape[-1], _columns(array, style, width), first[-1])
    if array.ndim == 1:
        return (columns,)
    all_rows = int(np.prod(array.shape[:-1]))
    leading = tuple(map(range, array.shape[:-2]))
    headings = int(np.prod(array.shape[:-2])) if leading else 0
    if leading and all_rows + headings > STACK:
        leading = tuple(range(at, at + 1) for at in first[:-2])
    return (*leading, _span(array.shape[-2], HEIGHT, first[-2]), columns)


def _columns(array: Array, style: _Style, width: int) -> int:
    """How many columns fit; measured on a part of a very large array."""
    part = array.reshape(-1, array.shape[-1])[:64, :64]
    widest = max(len(cell(value, style.decimals)) for value in part.ravel()) + bool(style.marked)
    return max(1, (width + len(GAP)) // (widest + len(GAP)))


def _span(length: int, most: int, at: int) -> range:
    if length <= most:
        return range(length)
    start = min(max(at - most // 2, 0), length - most)
    return range(start, start + most)


def _lines(array: Array, window: _Window, style: _Style) -> Iterable[str]:
    *leading, columns = window
    rows = leading.pop() if leading else None
    for index in np.ndindex(*map(len, leading)):
        outer = tuple(part[at] for part, at in zip(leading, index, strict=True))
        if outer:
            yield f"[{', '.join(map(str, outer))}]"
        inner = [(row,) for row in rows] if rows is not None else [()]
        yield from _aligned([[style.text(array, (*outer, *row, column)) for column in columns] for row in inner])


def _aligned(rows: list[list[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield GAP.join(text.rjust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def _part(shape: tuple[int, ...], window: _Window) -> str | None:
    if all(len(part) == length for part, length in zip(window, shape, strict=True)):
        return None
    return f"[{', '.join(map(_slice, window, shape))}]"


def _slice(part: range, length: int) -> str:
    if len(part) == length:
        return ":"
    return str(part.start) if len(part) == 1 else f"{part.start}:{part.stop}"


def _band_width(band: Sequence[Sequence[str]], gap: int, measure: Callable[[str], int]) -> int:
    return sum(max(map(measure, block), default=0) for block in band) + gap * (len(band) - 1)


def _beside(band: Sequence[Sequence[str]], gap: int, measure: Callable[[str], int]) -> list[str]:
    widths = [max(map(measure, block), default=0) for block in band]
    height = max(map(len, band), default=0)
    lines = []
    for at in range(height):
        texts = [block[at] if at < len(block) else "" for block in band]
        padded = (text + " " * (width - measure(text)) for text, width in zip(texts, widths, strict=True))
        lines.append((" " * gap).join(padded).rstrip())
    return lines
