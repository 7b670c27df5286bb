"""Compare typed cells with expected numbers: shape before value, finite before value, then a positive test.

A number that is exact at the asked decimals is compared exactly, as a rational. Any other is right within half a unit
of its last asked decimal, the bounds included.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import isfinite, isinf, prod, trunc

import numpy as np

from grader.model import Answer, Array, Blank, Cell, Trace

CODE_TOLERANCE = 1e-6
"""How near a function's values must come, relative to one more than the wanted value's size."""

FINE = 4
"""Decimals to which a number that was worked out, or typed with more, is compared where a whole one was asked."""

SLACK = 1e-9
"""What floating point may add at the edge of the half unit, relative to the size of the number."""


def expected(blank: Blank, trace: Trace) -> Array:
    """The cells of the blank's step in a trace, of the shape that is typed."""
    if blank.step is None:
        raise KeyError(blank.name)
    return np.asarray(np.asarray(trace[blank.step])[blank.cells])


def half_unit(decimals: int) -> float:
    """Half a unit of the last asked decimal."""
    return 0.5 * 10.0**-decimals


def exact(want: float, decimals: int) -> Fraction | None:
    """The number as a rational if it has no more than the asked decimals (to 1e-9 of the last), else `None`."""
    scaled = want * 10**decimals
    if not isfinite(scaled) or abs(scaled - round(scaled)) > SLACK * max(1.0, abs(scaled)):
        return None
    return Fraction(round(scaled), 10**decimals)


def matches(value: Fraction | float, want: float, decimals: int, extra: float = 0.0) -> bool:
    """Whether a typed number is the wanted one at the asked decimals; `extra` widens the half unit."""
    if isinf(want):
        return isinstance(value, float) and value == want
    if not isfinite(want) or not isfinite(value):
        return False
    rational = exact(want, decimals)
    slack = SLACK * max(1.0, abs(want))
    if rational is not None and not extra:
        return value == rational if isinstance(value, Fraction) else abs(value - float(rational)) <= slack
    bound = half_unit(decimals) + extra + slack * min(1.0, half_unit(decimals))
    return bool(abs(float(value) - want) <= bound + 4 * np.spacing(abs(want)))


def as_finely(blank: Blank, answer: Answer) -> Blank:
    """The blank with the decimals that a mistake must give there: those typed, where a whole number was asked.

    1.9 for 2 is no 1.4 that was rounded. What was worked out from a fraction or a root is as fine as `FINE`.
    """
    if blank.decimals or blank.kind != "numbers":
        return blank
    return replace(blank, decimals=max((_fineness(cell) for cell in answer.cells), default=0))


def _fineness(cell: Cell) -> int:
    if cell.decimals is not None:
        return min(cell.decimals, FINE)
    return 0 if cell.value is None or isinf(cell.value) or cell.value == round(cell.value) else FINE


def is_coarse(cell: Cell, want: float, decimals: int, least: int | None = None) -> bool:
    """Whether a typed number is the wanted one with too few digits, but at `least` half of the asked decimals."""
    least = (decimals + 1) // 2 if least is None else least
    if cell.value is None or cell.decimals is None or not least <= cell.decimals < decimals:
        return False
    return isfinite(want) and abs(float(cell.value) - want) <= half_unit(cell.decimals) + SLACK * max(1.0, abs(want))


def indices(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All cell indices of a shape, row by row."""
    return iter(np.ndindex(*shape))


def differing(answer: Answer, want: Array, decimals: int, extra: Array | None = None) -> tuple[tuple[int, ...], ...]:
    """The cells of an answer of the right shape that are not the wanted numbers; an empty cell differs."""
    return tuple(
        index
        for index, cell in zip(indices(want.shape), answer.cells, strict=True)
        if cell.value is None
        or not matches(cell.value, float(want[index]), decimals, 0.0 if extra is None else float(extra[index]))
    )


def coarse(
    answer: Answer, want: Array, decimals: int, cells: tuple[tuple[int, ...], ...], least: int | None = None
) -> bool:
    """Whether every differing cell is right but for its number of digits, of which it has at `least` so many."""
    by_index = dict(zip(indices(want.shape), answer.cells, strict=True))
    return bool(cells) and all(is_coarse(by_index[index], float(want[index]), decimals, least) for index in cells)


def cut_off(answer: Answer, want: Array, decimals: int) -> bool:
    """Whether an answer has the asked digits, but the rest was dropped instead of rounded.

    Zeros at the end need not be typed: what prints numbers leaves them out.
    """
    if answer.shape != want.shape:
        return False
    pairs = [(cell, float(want[index])) for index, cell in zip(indices(want.shape), answer.cells, strict=True)]
    return all(
        cell.value is not None
        and (
            matches(cell.value, number, decimals)
            or (cell.decimals is not None and cell.decimals <= decimals and _is_cut(cell.value, number, decimals))
        )
        for cell, number in pairs
    )


def cut_short(answer: Answer, want: Array, decimals: int) -> bool:
    """Whether an answer has fewer digits than asked, but at least half of them, and the rest was dropped."""
    cells = dict(zip(indices(want.shape), answer.cells, strict=True)) if answer.shape == want.shape else {}
    off = [index for index in cells if not _has_value(cells[index], float(want[index]), decimals)]
    digits = max((_digits(cells[index]) for index in off), default=0)
    if not (decimals + 1) // 2 <= digits < decimals:
        return False
    return all(_is_cut_or_coarse(cells[index], float(want[index]), digits) for index in off)


def _has_value(cell: Cell, want: float, decimals: int) -> bool:
    return cell.value is not None and matches(cell.value, want, decimals)


def _digits(cell: Cell) -> int:
    """How many digits after the point were typed; none where the number was worked out."""
    return -1 if cell.value is None or cell.decimals is None else cell.decimals


def _is_cut_or_coarse(cell: Cell, want: float, digits: int) -> bool:
    if cell.value is None or cell.decimals is None or not isfinite(want):
        return False
    return _is_cut(cell.value, want, digits) or is_coarse(cell, want, digits + 1, 0)


def off_by_one(answer: Answer, want: Array, decimals: int) -> tuple[tuple[int, ...], ...]:
    """The cells that are one unit of the last asked decimal off, if all others are right and rounding decides there."""
    if answer.shape != want.shape or decimals < 1:
        return ()
    cells = dict(zip(indices(want.shape), answer.cells, strict=True))
    off = differing(answer, want, decimals)
    return off if all(_is_next(cells[index], float(want[index]), decimals) for index in off) else ()


def _is_next(cell: Cell, want: float, decimals: int) -> bool:
    if cell.value is None or cell.decimals != decimals or not isfinite(want) or exact(want, decimals) is not None:
        return False
    return bool(abs(Fraction(cell.value) * 10**decimals - round(want * 10**decimals)) == 1)


def _is_cut(value: Fraction | float, want: float, decimals: int) -> bool:
    return isfinite(want) and Fraction(value) == Fraction(trunc(want * 10**decimals), 10**decimals)


def typed(answer: Answer) -> Array | None:
    """The array that was typed, or `None` if a cell is empty."""
    if any(cell.value is None for cell in answer.cells) or prod(answer.shape) != len(answer.cells):
        return None
    return np.array([float(cell.value or 0) for cell in answer.cells], dtype=np.float64).reshape(answer.shape)


def gap(blank: Blank, right: Trace, other: Trace) -> float:
    """How far another trace's answer is from the right one at this blank, in tolerances.

    Infinite for another shape, for NaN or infinity where a number is wanted, for numbers that are compared exactly and
    differ by a full unit of the last decimal, and for masks and shapes that differ at all. Zero if both agree.
    """
    if blank.step is None or blank.kind in ("choice", "choices", "truth"):
        return 0.0
    want = expected(blank, right)
    try:
        got = expected(blank, other)
    except (KeyError, IndexError):
        return float("inf")
    return array_gap(want, got, blank.decimals if blank.kind == "numbers" else 0)


def array_gap(want: Array, got: Array, decimals: int) -> float:
    """The largest distance of two arrays in half units of the last decimal; infinite if they are not comparable."""
    if want.shape != got.shape:
        return float("inf")
    if want.dtype.kind == "b" or got.dtype.kind == "b":
        return 0.0 if np.array_equal(want, got) else float("inf")
    return float(array_gaps(want, got[np.newaxis], decimals)[0])


def array_gaps(want: Array, several: Array, decimals: int) -> Array:
    """`array_gap` of each of several arrays of numbers of the wanted shape at once: `several` is (count, ...)."""
    with np.errstate(invalid="ignore"):
        distance = np.where(want == several, 0.0, np.abs(want - several)) / half_unit(decimals)
        rational = np.abs(want * 10.0**decimals - np.rint(want * 10.0**decimals)) <= SLACK
    distance = np.where(rational & (distance > 1), np.inf, distance)  # compared exactly: another number is another
    distance = np.where(np.isnan(distance), np.inf, distance)
    return np.asarray(distance.reshape(len(several), -1).max(axis=1, initial=0.0))  # (count,)


def close(want: Array, got: Array, tolerance: float = CODE_TOLERANCE) -> bool:
    """Whether two arrays agree in shape, kind and places of NaN and inf, and in value to the tolerance."""
    if want.shape != got.shape or (want.dtype == bool) != (got.dtype == bool):
        return False
    if want.dtype == bool:
        return bool(np.array_equal(want, got))
    if got.dtype.kind not in "iuf":
        return False
    with np.errstate(all="ignore"):
        near = (want == got) | (np.abs(got - want) <= tolerance * (1 + np.abs(want))) & np.isfinite(want)
        return bool(np.all(near | (np.isnan(want) & np.isnan(got))))
