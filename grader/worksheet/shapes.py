"""The shape of an array as people type it: `(3, 4)`, `3x4`, `3 by 4`, `torch.Size([3, 4])`."""

import re
from fractions import Fraction
from typing import Final

from grader.model import Cell
from grader.worksheet.normal import punctuation
from grader.worksheet.numbers import read_number
from grader.worksheet.pasted import check_balance
from grader.worksheet.split import pieces
from grader.worksheet.unreadable import Unreadable, short

_CALL: Final = re.compile(r"(?:[A-Za-z_]\w*\.)*(?:Size|TensorShape|shape|tuple|list)\s*(?:[=:]|(?=\())")
_BETWEEN: Final = re.compile(r"\s*(?:[x×✕*乘]|\bby\b|\s)\s*", re.IGNORECASE)
_SCALAR: Final = {"()", "[]", "scalar", "标量"}
MAX_RANK: Final = 8


def read_shape(text: str) -> tuple[Cell, ...]:
    """One cell for each axis. Raises `Unreadable`."""
    plain = punctuation(text).strip().strip("`$").strip()
    if plain.lower() in _SCALAR:
        return ()
    check_balance(plain)
    inside = _unbracketed(_CALL.sub("", plain, count=1))
    axes = pieces(inside, lambda row, at: int(row[at] in ",;")) if re.search("[,;]", inside) else _BETWEEN.split(inside)
    axes = axes[:-1] if len(axes) > 1 and not axes[-1] else axes
    if len(axes) > MAX_RANK:
        raise Unreadable("shape", text=short(text))
    return tuple(_axis(axis, text) for axis in axes)


def _unbracketed(text: str) -> str:
    """`text` without the brackets around all of it."""
    text = text.strip()
    while text[:1] in {"(", "[", "{"} and text[-1:] in {")", "]", "}"}:
        text = text[1:-1].strip()
    return text


def _axis(axis: str, text: str) -> Cell:
    """One size: a whole number, not negative, not `000`."""
    try:
        cell = read_number(axis).cell
    except Unreadable:
        raise Unreadable("shape", text=short(text)) from None
    if cell.value is None and axis:
        return cell
    padded = len(axis) > 1 and axis.startswith("0") and axis.isdigit()
    if padded or not isinstance(cell.value, Fraction) or cell.value.denominator != 1 or cell.value < 0:
        raise Unreadable("shape", text=short(text))
    return Cell(cell.raw, cell.value, 0)
