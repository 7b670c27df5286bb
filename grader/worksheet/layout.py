"""Matrices, blanks and paragraphs as plain text that lines up, in any editor and in both languages."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from grader.worksheet.numbers import fixed, plain

_SHADES: Final = ((0.05, "   "), (0.15, "..."), (0.35, ":::"), (0.6, "+++"), (float("inf"), "###"))
_CLOSING: Final = frozenset("，。、；：！？）」』”’》】,.;:!?)]}")
_OPENING: Final = frozenset("（「『“‘《【([{")
_ITEM: Final = re.compile(r"\s*(?:>|[-*+]\s|\d+[.)]\s)")
_LEAD: Final = re.compile(r"((?:\s*>)*\s*)((?:[-*+]|\d+[.)])\s+)?")


def width(text: str) -> int:
    """How many columns a text takes; a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def pad(text: str, columns: int) -> str:
    """`text` filled up to a number of columns."""
    return text + " " * (columns - width(text))


# --- values ------------------------------------------------------------------------------------------------------


def show(label: str, value: Any) -> str:
    """A value under its name as a fenced block, columns aligned."""
    return "```text\n" + "\n".join(_labelled(label, np.asarray(value))) + "\n```"


def inline(value: Any, digits: int | None = None) -> str:
    """A value on one line: `[1, 0.5]`; with `digits`, so many after the point."""
    array = np.asarray(value)
    if array.ndim:
        return f"[{', '.join(inline(part, digits) for part in array)}]"
    if array.dtype == bool:
        return "T" if array else "F"
    return plain(float(array)) if digits is None else fixed(float(array), digits)


def shaded(value: Any, rows: Sequence[Any] = (), columns: Sequence[Any] = ()) -> str:
    """A matrix of shares as a fenced block: each number beside a patch that is darker the larger it is."""
    array = np.asarray(value, dtype=np.float64)  # (n, m)
    cells = [[f"{fixed(float(share), 2)} {_shade(float(share))}" for share in row] for row in array]
    left = [str(label) for label in rows or range(array.shape[0])]
    top = [str(label) for label in columns or range(array.shape[1])]
    margin = max(map(width, left))
    wide = max(map(width, [*top, cells[0][0]]))
    lines = [" ".join([" " * margin, *(" " + pad(label, wide) for label in top)])]
    for label, row in zip(left, cells, strict=True):
        lines.append(" ".join([pad(label, margin), *(" " + pad(cell, wide) for cell in row)]))
    return "```text\n" + "\n".join(line.rstrip() for line in lines) + "\n```"


def _shade(share: float) -> str:
    return next(shade for limit, shade in _SHADES if share < limit)


def _labelled(label: str, array: np.ndarray[Any, Any]) -> list[str]:
    """The lines of one array; of more than two axes, each matrix under its index."""
    if array.ndim > 2:  # noqa: PLR2004 - a page has two axes
        parts = [_labelled(f"{label}[{index}]", part) for index, part in enumerate(array)]
        return [line for part in parts for line in ["", *part]][1:]
    if array.ndim == 0:
        return [f"{label} = {inline(array)}"]
    texts = _texts(np.atleast_2d(array))
    columns = max((width(text) for row in texts for text in row), default=0)
    rows = [f"[ {'  '.join(text.rjust(columns) for text in row)} ]" for row in texts]
    heads = [f"{label} = ", *[" " * (width(label) + 3)] * (len(rows) - 1)]
    return [head + row for head, row in zip(heads, rows, strict=True)]


def _texts(array: np.ndarray[Any, Any]) -> list[list[str]]:
    """The cells of a matrix as text, all with the same digits after the point."""
    texts = [[inline(cell) for cell in row] for row in array]
    digits = max((len(text.partition(".")[2]) for row in texts for text in row if "e" not in text), default=0)
    if not digits:
        return texts
    return [[fixed(float(cell), digits) for cell in row] for row in array]


# --- blanks ------------------------------------------------------------------------------------------------------


def empty(shape: tuple[int, ...], brackets: str = "[]") -> list[str]:
    """The lines of a blank of some shape: `_`, `[_, _]`, or rows under each other."""
    if not shape:
        return ["_"]
    if len(shape) == 1:
        comma = "," if brackets == "()" and shape[0] == 1 else ""
        return [brackets[0] + ", ".join("_" * shape[0]) + comma + brackets[1]]
    part = empty(shape[1:], brackets)
    lines = [line for _ in range(shape[0]) for line in [*part[:-1], part[-1] + ","]]
    lines[-1] = lines[-1].removesuffix(",") + brackets[1]
    return [brackets[0] + lines[0], *(" " + line for line in lines[1:])]


# --- paragraphs --------------------------------------------------------------------------------------------------


def wrapped(text: str, columns: int) -> str:
    """`text` with paragraphs that are too wide set anew; fenced blocks and tables stay, and so does what fits."""
    lines: list[str] = []
    for block, fixed_lines in _blocks(text.splitlines()):
        fits = fixed_lines or all(width(line) <= columns for line in block)
        lines += block if fits else _broken(_joined(block), columns)
    return "\n".join(lines)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
    """Lines that make one paragraph or one item of a list; and, alone, each line that must stay as it is."""
    block: list[str] = []
    fenced = False
    for line in lines:
        fence = line.lstrip().startswith("```")
        fenced = fenced != fence
        alone = fenced or fence or not line.strip() or line.lstrip().startswith(("|", "#"))
        if block and (alone or _ITEM.match(line)):
            yield block, False
            block = []
        if alone:
            yield [line], True
        else:
            block.append(line)
    if block:
        yield block, False


def _joined(block: Sequence[str]) -> str:
    """The lines of one paragraph as one line; no space comes between Chinese characters."""
    text = block[0].rstrip()
    for line in block[1:]:
        added = line.strip().removeprefix("> ")
        text += added if width(text[-1:]) > 1 or width(added[:1]) > 1 else f" {added}"
    return text


def _broken(line: str, columns: int) -> list[str]:
    """One line as several; what follows a list's mark hangs below its text."""
    lead = _LEAD.match(line)
    assert lead is not None  # noqa: S101 - it may match nothing, but it always matches
    hang = lead[1] + " " * len(lead[2] or "")
    lines, current = [], lead[0]
    for word in _words(line[lead.end() :]):
        if current not in {hang, lead[0]} and width((current + word).rstrip()) > columns:
            lines.append(current.rstrip())
            current = hang + word.lstrip()
        else:
            current += word
    return [*lines, current.rstrip()]


def _words(text: str) -> list[str]:
    """`text` cut where a line may end: behind spaces, and around Chinese characters except at their punctuation."""
    words = [""]
    code = False
    for before, char in zip(" " + text, text, strict=False):
        wide = width(char) > 1 or width(before) > 1
        free = char != " " and (before == " " or (wide and char not in _CLOSING and before not in _OPENING))
        if free and words[-1] and not code:
            words.append("")
        code = code != (char == "`")
        words[-1] += char
    return words
