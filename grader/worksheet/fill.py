"""Putting answers into a worksheet, everything else kept as it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from grader.model import RawAnswer
from grader.worksheet.read import check_names, entries, lines_of, without_comment

_NOWHERE: Final = Path("worksheet.md")


def fill(text: str, values: Mapping[str, str]) -> str:
    """`text` with the value of each named entry replaced; comments, order and line endings stay. Raises `BadInput`."""
    lines = lines_of(text)
    found = entries(text, _NOWHERE)
    check_names([RawAnswer(name, value, 1) for name, value in values.items()], [e.name for e in found], _NOWHERE)
    for entry in reversed(found):
        if entry.name in values:
            lines[entry.first : entry.end] = _filled(lines[entry.first : entry.end], values[entry.name])
    return text[: len(text) - len(text.removeprefix("\ufeff"))] + "".join(lines)


def _filled(lines: list[str], value: str) -> list[str]:
    """The lines of one entry with another value; what was said behind the old one stands behind the new one."""
    ending = lines[0][len(lines[0].rstrip("\r\n")) :]
    first = lines[0].rstrip("\r\n")
    at = min(place for place in (first.find(":"), first.find("："), first.find("=")) if place >= 0) + 1
    gap = first[at : len(first) - len(first[at:].lstrip())] or " "
    comments = [line.rstrip("\r\n")[len(without_comment(line)) :].strip() for line in lines]
    new = value.splitlines() or [""]
    new[0] = first[:at] + gap.replace("\t", " ") + new[0]
    comment = " ".join(filter(None, comments))
    new[-1] += f"  {comment}" if comment else ""
    return [line + ending for line in new]
