"""Slips of the pencil at single cells, looked for only where no mistake explains an answer.

A sign lost, a product left out of a sum or added with the other sign, a row read for a column, two numbers in each
other's place, two digits swapped. Each is named at its cell, or offered where a random number would hit one of them
too often.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from grader.judge.chance import NAMED
from grader.judge.compare import SLACK, differing, half_unit, matches
from grader.model import Answer, Array, Blank, Cell, Finding, Step

MOST_CELLS: Final = 3
"""With more wrong cells it is no slip."""

FAR_BELOW: Final = 20.0
"""A number so much lower than any score of the row is meant for minus infinity."""

Index = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """What one slip would put into one cell."""

    kind: str
    value: float
    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Cells:
    """An answer with some wrong cells, what should stand there, and how its step computes it."""

    blank: Blank
    answer: Answer
    own: Array
    wrong: Sequence[Index]
    step: Step | None
    values: Mapping[str, Array]

    def typed(self, index: Index) -> float:
        """The number typed in a cell."""
        value = self.answer.cells[int(np.ravel_multi_index(index, self.own.shape)) if index else 0].value
        return float("nan") if value is None else float(value)

    def is_typed(self, index: Index, number: float) -> bool:
        """Whether a cell holds this number to the digits asked."""
        value = self.answer.cells[int(np.ravel_multi_index(index, self.own.shape)) if index else 0].value
        return value is not None and matches(value, number, self.blank.decimals)

    def name(self, index: Index) -> str:
        """How a cell is called: `weights[1, 0]`, or the blank itself."""
        return f"{self.blank.name}[{', '.join(map(str, index))}]" if index else self.blank.name


def of_cells(cells: Cells) -> tuple[Finding, ...]:
    """The slips that put every wrong cell right; nothing if one of them stays unexplained."""
    if cells.blank.kind != "numbers" or not 0 < len(cells.wrong) <= MOST_CELLS or not np.isfinite(cells.own).all():
        return ()
    swapped = _swapped(cells)
    if swapped:
        return swapped
    found = [_at(cells, index) for index in cells.wrong]
    return tuple(one for one in found if one is not None) if all(found) else ()


def of_every_cell(cells: Cells) -> tuple[Finding, ...]:
    """One slip made in every cell: the same product left out or with the wrong sign, all signs, percentages."""
    if cells.blank.kind != "numbers" or not cells.own.size or not np.isfinite(cells.own).all():
        return ()
    shares = bool(((cells.own >= 0) & (cells.own <= 1)).all() and cells.own.any())
    if shares and all(_is_percentage(cell, float(cells.own.flat[at])) for at, cell in enumerate(cells.answer.cells)):
        return (finding("slip-percent", {"blank": cells.blank.name}, sure=window(cells) ** cells.own.size < NAMED),)
    if len(cells.wrong) < 2:  # noqa: PLR2004 -- a slip of one cell
        return ()
    tried = list(_everywhere(cells))
    found = next((slip for slip in tried if not differing(cells.answer, slip[1], cells.blank.decimals)), None)
    if found is None:
        return ()
    sure = len(tried) * window(cells) ** len(cells.wrong) < NAMED
    return (finding(found[0], {"blank": cells.blank.name, **found[2]}, sure=sure),)


def _is_percentage(cell: Cell, share: float) -> bool:
    if cell.value is None or cell.decimals is None:
        return False
    return abs(float(cell.value) - 100 * share) <= half_unit(cell.decimals) * (1 + SLACK) and (
        share == 0 or cell.value > 1
    )


def _everywhere(cells: Cells) -> Iterator[tuple[str, Array, dict[str, int]]]:
    """What one slip made in every cell gives."""
    yield "slip-all-signs", -cells.own, {}
    products = [_products(cells, index) for index in np.ndindex(*cells.own.shape)]
    if any(one is None for one in products):
        return
    terms = np.array(products).reshape(*cells.own.shape, -1)  # (..., k)
    for term in range(terms.shape[-1]):
        yield "slip-term-missing", cells.own - terms[..., term], {"term": term}
        yield "slip-term-sign", cells.own - 2 * terms[..., term], {"term": term}


def _products(cells: Cells, index: Index) -> Array | None:
    """The products whose sum a cell is."""
    found = _row_and_column(cells, index)
    return None if found is None else np.asarray(found[0] * found[1])


def of_order(cells: Cells) -> tuple[Finding, ...]:
    """The right rows, or the right columns, of a matrix in another order; or rows and columns exchanged."""
    if cells.own.ndim != 2 or len(cells.wrong) <= 2:  # noqa: PLR2004
        return ()
    if cells.own.shape == cells.own.T.shape and not differing(cells.answer, cells.own.T, cells.blank.decimals):
        return (Finding("slip-transposed", {"blank": cells.blank.name}),)
    if not np.isfinite(cells.own).all():
        return ()
    typed = np.vectorize(lambda *index: cells.typed(index))(*np.indices(cells.own.shape))
    for kind, yours, want in (
        ("slip-rows-moved", typed, cells.own),
        ("slip-columns-moved", typed.T, cells.own.T),
    ):
        order = _order(yours, want, half_unit(cells.blank.decimals) * (1 + SLACK))
        if order:
            places = {"order": place_of(order), "asked": place_of(tuple(range(len(order))))}
            return (Finding(kind, {"blank": cells.blank.name, **places}),)
    return ()


def of_copied_row(cells: Cells) -> tuple[Finding, ...]:
    """One row that holds what belongs in another; the others are right."""
    rows = {index[:1] for index in cells.wrong}
    if cells.own.ndim != 2 or len(rows) != 1 or not np.isfinite(cells.own).all():  # noqa: PLR2004
        return ()
    ((row,),) = rows
    if len(cells.own) * window(cells) ** len(cells.wrong) >= NAMED:
        return ()
    places = range(cells.own.shape[1])
    for other, want in enumerate(cells.own):
        if other != row and all(cells.is_typed((row, place), float(want[place])) for place in places):
            return (Finding("slip-row-copied", {"blank": cells.blank.name, "row": row, "other": other}),)
    return ()


def _order(yours: Array, want: Array, room: float) -> tuple[int, ...]:
    """Which wanted row stands in each row of yours, if each stands in one; nothing if one is missing or twice there."""
    same = (np.abs(yours[:, None] - want[None]) <= room).all(axis=-1)  # (rows of yours, rows wanted)
    if not (same.sum(axis=0) == 1).all() or not (same.sum(axis=1) == 1).all():
        return ()
    return tuple(int(place) for place in same.argmax(axis=1))


def of_blocked(cells: Cells) -> tuple[Finding, ...]:
    """A large negative number at keys that are blocked, in place of minus infinity: nothing else is wrong."""
    finite = cells.own[np.isfinite(cells.own)]
    if not cells.wrong or not finite.size or not all(np.isneginf(cells.own[index]) for index in cells.wrong):
        return ()
    if max(cells.typed(index) for index in cells.wrong) > finite.min() - FAR_BELOW:
        return ()
    return (Finding("slip-not-infinite", {"cell": cells.name(cells.wrong[0])}),)


def of_lowering(cells: Cells, row: Array, *, rounded: bool) -> tuple[Finding, ...]:
    """What was done to the scores instead of taking the row's maximum away: nothing, or another subtraction.

    Where the scores were `rounded`, each of two numbers may be off by half a unit.
    """
    if row.shape != cells.own.shape or row.ndim == 0 or not np.isfinite(row).all():
        return ()
    top, bottom = row.max(axis=-1, keepdims=True), row.min(axis=-1, keepdims=True)
    tried = {"slip-max-left": row, "slip-min-subtracted": row - bottom, "slip-max-minus": top - row}
    room = np.full(row.shape, 2 * half_unit(cells.blank.decimals) if rounded else 0.0)
    for kind, value in tried.items():
        if not differing(cells.answer, value, cells.blank.decimals, room):
            wrong = len(differing(cells.answer, cells.own, cells.blank.decimals))
            sure = len(tried) * window(cells) ** wrong < NAMED
            return (finding(kind, {"blank": cells.blank.name}, sure=sure),)
    return ()


def place_of(place: Index) -> str:
    """Indices as they are told: `1, 0`."""
    return ", ".join(map(str, place))


def _swapped(cells: Cells) -> tuple[Finding, ...]:
    if len(cells.wrong) != 2:  # noqa: PLR2004 -- a swap takes two
        return ()
    one, other = cells.wrong
    if not cells.is_typed(one, float(cells.own[other])) or not cells.is_typed(other, float(cells.own[one])):
        return ()
    pairs = cells.own.size * (cells.own.size - 1) / 2
    sure = pairs * window(cells) ** 2 < NAMED
    return (finding("slip-swapped", {"cell": cells.name(one), "other": cells.name(other)}, sure=sure),)


def _at(cells: Cells, index: Index) -> Finding | None:
    """The slip that gives what stands in one cell; the plainest of several."""
    tried = list(_slips(cells, index))
    found = next((slip for slip in tried if cells.is_typed(index, slip.value)), None)
    if found is None:
        return None
    distinct = {round(slip.value, cells.blank.decimals) for slip in tried}
    sure = len(distinct) * window(cells) < NAMED
    return finding(found.kind, {"cell": cells.name(index), **found.numbers}, sure=sure)


def window(cells: Cells) -> float:
    """The chance that a random number falls on a given one."""
    return min(1.0, 2 * half_unit(cells.blank.decimals) / max(1.0, 2 * float(np.abs(cells.own).max())))


def finding(kind: str, numbers: Mapping[str, int | str], *, sure: bool) -> Finding:
    """A slip, told or guessed."""
    return Finding(kind if sure else f"perhaps-{kind}", dict(numbers))


# --- what a slip gives -------------------------------------------------------------------------------------------


def _slips(cells: Cells, index: Index) -> Iterator[Slip]:
    """All that one slip may put into a cell, other than the right number."""
    right = float(cells.own[index])
    found = [Slip("slip-sign", -right, {}), *_of_sums(cells, index), *_of_digits(right, cells.blank.decimals)]
    for slip in found:
        if np.isfinite(slip.value) and round(slip.value, cells.blank.decimals) != round(right, cells.blank.decimals):
            yield slip


def _of_digits(right: float, decimals: int) -> Iterator[Slip]:
    text = f"{abs(right):.{decimals}f}"
    for place, (one, other) in enumerate(pairwise(text)):
        if one != other and one.isdigit() and other.isdigit():
            swapped = f"{text[:place]}{other}{one}{text[place + 2 :]}"
            yield Slip("slip-digits", float(swapped) * (-1 if right < 0 else 1), {})


def _of_sums(cells: Cells, index: Index) -> Iterator[Slip]:
    """Slips in a sum of products: one left out, one with the wrong sign, a row read for a column."""
    found = _row_and_column(cells, index)
    if found is None:
        return
    row, column, left, right, place = found
    products = row * column
    for term, product in enumerate(products):
        yield Slip("slip-product-missing", float(products.sum() - product), {"term": term})
    for term, product in enumerate(products):
        yield Slip("slip-product-sign", float(products.sum() - 2 * product), {"term": term})
    if right.shape[0] == right.shape[1]:
        yield Slip("slip-row-for-column", float(row @ right[place[1]]), {})
    if left.shape[0] == left.shape[1]:
        yield Slip("slip-row-for-column", float(left[:, place[0]] @ column), {})


def _row_and_column(cells: Cells, index: Index) -> tuple[Array, Array, Array, Array, tuple[int, int]] | None:
    """The row and the column whose product a cell is, with their matrices and the cell's place in the whole."""
    factors = _factors(cells)
    if factors is None:
        return None
    a, b, whole = factors
    place = np.unravel_index(np.arange(whole.size).reshape(whole.shape)[cells.blank.cells][index], whole.shape)
    *ahead, row, column = (0, *place) if whole.ndim == 1 else place
    left, right = (a[tuple(ahead)] if a.ndim > 2 else a), (b[tuple(ahead)] if b.ndim > 2 else b)  # noqa: PLR2004
    return left[row], right[:, column], left, right, (int(row), int(column))


def _factors(cells: Cells) -> tuple[Array, Array, Array] | None:
    """The two matrices whose product the step is, (..., n, k) and (..., k, m), and the product."""
    if cells.step is None or len(cells.step.needs) < 2:  # noqa: PLR2004 -- no product
        return None
    found = [cells.values.get(name) for name in (*cells.step.needs[:2], cells.step.name)]
    if any(one is None or one.ndim == 0 or one.dtype.kind not in "if" for one in found):
        return None
    a, b, whole = (np.asarray(one) for one in found)
    a = a[None] if a.ndim == 1 else a
    for factor in (b, np.swapaxes(b, -1, -2)) if b.ndim > 1 else ():
        if a.shape[-1] == factor.shape[-2] and a.shape[:-2] == factor.shape[:-2]:
            product = (a @ factor).reshape(-1)
            if product.shape == whole.reshape(-1).shape and np.allclose(product, whole.reshape(-1), atol=1e-9):
                return a, factor, whole
    return None
