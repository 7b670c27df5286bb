"""Cutting a row into cells. Round brackets hold together: `sqrt(2)` and `Fraction(1, 2)` are never cut."""

import re
from collections.abc import Callable
from typing import Final

_OPERATORS: Final = "*/^"
_SPACED_EXPONENT: Final = re.compile(r"(?<=[0-9.])\s*([eE])\s*([+-])\s*(?=[0-9])")
_RUN: Final = re.compile(r"\s+")


def pieces(text: str, cuts: Callable[[str, int], int]) -> list[str]:
    """`text` cut outside brackets. `cuts(text, place)` gives the length of the separator there, 0 for none."""
    found: list[str] = []
    depth = start = place = 0
    while place < len(text):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        width = cuts(text, place) if depth == 0 else 0
        if width:
            found.append(text[start:place])
            start = place + width
        place += width or 1
    return [piece.strip() for piece in [*found, text[start:]]]


def at_tabs(row: str) -> list[str]:
    """A row of a spreadsheet, or of a table that has been brought to tabs."""
    return [piece.strip() for piece in row.split("\t")]


def at_semicolons(row: str) -> list[str]:
    """`0,5; 0,5`: the commas are decimal."""
    return pieces(row, lambda text, place: int(text[place] == ";"))


def at_loose_commas(row: str) -> list[str]:
    """`0,67, 0,33`: only a comma before a space separates."""
    return pieces(row, lambda text, place: int(text[place] == "," and text[place + 1 : place + 2].isspace()))


def at_commas(row: str) -> list[str]:
    """`0.5,0.5`: every comma separates."""
    return pieces(row, lambda text, place: int(text[place] == ","))


def at_spaces(row: str) -> list[str]:
    """`0.5 -0.5`: a space separates, unless it stands beside a sign as in `1 - 2`."""
    return pieces(_SPACED_EXPONENT.sub(r"\1\2", row.strip()), _space)


def at_commas_and_spaces(row: str) -> list[str]:
    """`1,2 3,4`: both separate."""
    return [cell for piece in at_commas(row) for cell in at_spaces(piece)]


def at_every_second_comma(row: str) -> list[str]:
    """`0,67,0,33`: commas are decimal and separate in turn."""
    parts = at_commas(row)
    return [",".join(parts[index : index + 2]) for index in range(0, len(parts), 2)]


def whole(row: str) -> list[str]:
    """The row is one cell."""
    return [row.strip()]


def _space(text: str, place: int) -> int:
    """The length of a run of spaces that separates two cells."""
    run = _RUN.match(text, place)
    width = len(run[0]) if run else 0
    before, after = text[place - 1 : place], text[place + width : place + width + 2]
    if not width or before in {"", *_OPERATORS} or after[:1] in {"", *_OPERATORS}:
        return 0
    # a sign: `- 2` after a number continues it, `-2` begins the next cell
    lone = before in {"+", "-"} or (after[:1] in {"+", "-"} and after[1:].isspace())
    return 0 if lone else width


def _odd_commas(row: str) -> bool:
    """Whether the commas of a row can be decimal and separating in turn."""
    return len(at_commas(row)) % 2 == 0 and not _loose(row)


def _comma(row: str) -> bool:
    return "," in row


def _loose(row: str) -> bool:
    return bool(re.search(r",\s", row))


CUTS: Final[tuple[tuple[Callable[[str], bool], Callable[[str], list[str]]], ...]] = (
    (lambda row: ";" in row, at_semicolons),
    (_loose, at_loose_commas),
    (_comma, at_commas),
    (lambda _: True, at_spaces),
    (_comma, at_commas_and_spaces),
    (_odd_commas, at_every_second_comma),
)
"""When a way of cutting makes sense for a row, and the way; most natural first."""
