"""One number: from the text of a cell to a `Cell`, and from a cell or a value to the text that echoes it."""

import math
import re
from fractions import Fraction
from typing import NamedTuple

from grader.model import Cell, Finding
from grader.worksheet import expression, tree
from grader.worksheet.letters import truth_of
from grader.worksheet.normal import normalise, punctuation, unemphasised
from grader.worksheet.unreadable import Unreadable, short

_EMPTY = re.compile(r"[\s_?]*")
_QUOTES = "\"'`$ \t\n"
_LARGEST = 1e15
_MOST_DIGITS = 20
"""With more digits after the point a number is echoed as it was typed."""


class Read(NamedTuple):
    """One cell as read, and what has to be said about how."""

    cell: Cell
    notices: tuple[Finding, ...] = ()


def read_number(text: str, *, infinite: bool = False) -> Read:
    """One number; infinity only where `infinite`; nothing typed, or `_`, is an empty cell. Raises `Unreadable`."""
    raw = unemphasised(punctuation(text)).strip()
    if _EMPTY.fullmatch(raw):
        return Read(Cell(raw, None))
    if len(raw) > expression.MAX_LENGTH:
        raise Unreadable("too-long", text=short(raw), limit=expression.MAX_LENGTH)
    if truth_of(raw) is not None:
        raise Unreadable("truth-for-number", text=short(raw))
    plain_text = normalise(raw).replace('"', "").replace("'", "").strip(_QUOTES + "_")
    try:
        node = expression.parse(plain_text)
        value = _finite(tree.evaluate(node), raw, infinite=infinite)
        return Read(Cell(raw, value, tree.decimals(node)), tree.notices(node))
    except Unreadable as reason:
        told = reason.numbers.get("text", short(plain_text))
        reason.numbers |= {"text": short(raw) if told == short(plain_text) else told}  # all of it: as it was typed
        raise


def _finite(value: Fraction | float, raw: str, *, infinite: bool) -> Fraction | float:
    """`value`, unless it is infinite where that cannot be."""
    if isinstance(value, float) and math.isinf(value) and not infinite:
        raise Unreadable("infinite", text=short(raw))
    return value


def fixed(value: Fraction | float, digits: int) -> str:
    """`value` with `digits` after the point, and no sign on zero."""
    if isinstance(value, float):
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        if abs(value) >= _LARGEST:
            return f"{value:.6g}"
    scaled = round(Fraction(value) * 10**digits)
    text = str(abs(scaled)).rjust(digits + 1, "0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else sign + text


def plain(value: float | Fraction) -> str:
    """A given number in its shortest exact-looking form: `2`, `0.5`, `-inf`."""
    if isinstance(value, Fraction):
        value = float(value)
    if value == int(value) if math.isfinite(value) else False:
        return str(int(value))
    return f"{value:.10g}"


def echo(cell: Cell, digits: int) -> str:
    """A cell as it was read: the digits typed, or `digits` of them where the value was worked out."""
    if cell.value is None:
        return "_"
    if cell.decimals is not None and cell.decimals > _MOST_DIGITS:
        return short(cell.raw)
    if cell.decimals is not None:
        return fixed(cell.value, cell.decimals)
    text = fixed(cell.value, digits)
    exact = isinstance(cell.value, Fraction) and "." in text and Fraction(text) == cell.value
    return text.rstrip("0").rstrip(".") if exact else text
