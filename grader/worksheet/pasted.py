"""The rows of a pasted text, whatever program it comes from: brackets, lines, Markdown tables, LaTeX matrices."""

import re
from typing import Final, NamedTuple

from grader.worksheet.normal import punctuation
from grader.worksheet.numbers import read_number
from grader.worksheet.split import pieces
from grader.worksheet.unreadable import Unreadable, short

MAX_TEXT: Final = 20_000
MAX_NESTING: Final = 6


class Grid(NamedTuple):
    """Rows of text, the axes above them, and whether cells are told apart by tabs only."""

    outer: tuple[int, ...]
    rows: tuple[str, ...]
    tabbed: bool = False
    bracketed: bool = False


def grids(text: str) -> tuple[Grid, ...]:
    """Every way to see the rows of `text`, most natural first. Raises `Unreadable`."""
    if len(text) > MAX_TEXT:
        raise Unreadable("too-long", text=short(text), limit=MAX_TEXT)
    text = _unwrapped(punctuation(text))
    if re.search(r"\.\.\.|…|\\[cvd]?dots", text):
        raise Unreadable("ellipsis", text=short(text))
    table = _latex(text) or _markdown(text)
    if table:
        return (Grid((len(table),), table, tabbed=True),)
    check_balance(text)
    text = _squared(text)
    return _bracketed(text) if "[" in text else _lined(text, bracketed=False)


def check_balance(text: str) -> None:
    """Raise `Unreadable` if a bracket has no partner."""
    stack: list[str] = []
    for char in text:
        if char in "([{":
            stack.append(char)
        elif char in ")]}" and (not stack or stack.pop() != "([{"[")]}".index(char)]):
            raise Unreadable("unbalanced", text=short(text), bracket=char)
    if stack:
        raise Unreadable("unbalanced", text=short(text), bracket=stack[-1])


# --- wrappers ----------------------------------------------------------------------------------------------------

_ASSIGNED = re.compile(r"[A-Za-z_]\w*\s*=\s*(?=\S)")
_CALL = re.compile(
    r"(?:[A-Za-z_]\w*\.)*(?:array|asarray|matrix|mat|tensor|Tensor|Array|Matrix|list|tuple)\s*\((.*)\)", re.DOTALL
)
_KEYWORDS = re.compile(r",\s*(?:dtype|device|grad_fn|requires_grad|order|shape)\s*=.*\Z", re.DOTALL)


def _unwrapped(text: str) -> str:
    """`text` without the call or the assignment around it, and without a closing `;`."""
    text = text.strip(" \r\n").strip("`$").strip(" \r\n")
    text = re.sub(r"[;,]\s*\Z", "", _ASSIGNED.sub("", text, count=1) if _ASSIGNED.match(text) else text)
    call = _CALL.fullmatch(text)
    if not call or not _closes_at_end(f"({call[1]})"):
        return text
    return _KEYWORDS.sub("", call[1]).strip()


def _closes_at_end(text: str) -> bool:
    """Whether the bracket that opens `text` is closed by its last character."""
    depth = 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth <= 0:
            return place == len(text) - 1
    return False


# --- tables ------------------------------------------------------------------------------------------------------

_LATEX = re.compile(r"\\begin\{([A-Za-z]*matrix|array)\*?\}(?:\{[^{}]*\}|\[[^\]]*\])?(.*)\\end\{\1\*?\}", re.DOTALL)
_LATEX_ROW = re.compile(r"\\\\(?:\[[^\]]*\])?|\\cr(?![A-Za-z])")
_BARS = re.compile(r"\|-[^|\s-]+\|")
"""One negative number between bars: how large it is, or a table of one cell?"""
_RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")


def _latex(text: str) -> tuple[str, ...]:
    """The rows of a LaTeX matrix, cells apart by tabs; empty if it is none."""
    found = _LATEX.search(text)
    if not found:
        return ()
    rows = _LATEX_ROW.split(found[2].replace(r"\hline", ""))
    return tuple(" ".join(row.split()).replace("&", "\t") for row in rows if row.strip())


def _markdown(text: str) -> tuple[str, ...]:
    """The rows of a Markdown table, cells apart by tabs; empty if it is none. A heading of words is left out.

    Raises `Unreadable`.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or not all("|" in line for line in lines) or not any(line.startswith("|") for line in lines):
        return ()
    if len(lines) == 1 and _BARS.fullmatch(lines[0]):
        raise Unreadable("bars", text=short(lines[0]))
    rows = [line.removeprefix("|").removesuffix("|").replace("\t", " ").replace("|", "\t") for line in lines]
    if len(lines) > 1 and _RULE.fullmatch(lines[1]) and _is_heading(rows[0]):
        rows = rows[1:]
        lines = lines[1:]
    return tuple(row for row, line in zip(rows, lines, strict=True) if not _RULE.fullmatch(line))


def _is_heading(row: str) -> bool:
    """Whether a row holds no number at all."""
    try:
        return all(read_number(cell).cell.value is None for cell in row.split("\t"))
    except Unreadable:
        return True


# --- brackets ----------------------------------------------------------------------------------------------------

_BETWEEN = re.compile(r"[\s,;]*")


def _squared(text: str) -> str:
    """`text` with the brackets of tuples and of braced lists made square; those of a formula stay round."""
    if text.startswith("{"):
        text = text.replace("{", "[").replace("}", "]")
    chars, opened = list(text), []
    listed: list[bool] = []
    for place, char in enumerate(text):
        if char in "([":
            opened.append(place)
            listed.append(False)
        elif char in ",;" and listed:
            listed[-1] = True
        elif char in ")]" and opened:
            start, is_list = opened.pop(), listed.pop()
            if char == ")" and is_list and _stands_alone(text, start, place):
                chars[start], chars[place] = "[", "]"
    text = "".join(chars).strip(" \r\n")
    while text.startswith("(") and "[" in text and _closes_at_end(text):
        text = text[1:-1].strip()
    return text


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether nothing of a formula touches the bracket from `start` to `end`."""
    before = text[max(0, start - 40) : start].rstrip()[-1:]
    after = text[end + 1 : end + 41].lstrip()[:1]
    return before in {"", *"[(,;)]"} and after in {"", *"[(,;)]"}


def _bracketed(text: str) -> tuple[Grid, ...]:
    """The grids of a text in square brackets, with or without a bracket around all of it."""
    groups = _groups(text)
    if len(groups) == 1 and "[" not in groups[0]:
        return _lined(groups[0], bracketed=True)
    if len(groups) == 1:
        groups = _groups(groups[0])
    outer, rows = _flattened(groups, 1)
    return (Grid(outer, tuple(rows), bracketed=True),)


def _flattened(groups: list[str], depth: int) -> tuple[tuple[int, ...], list[str]]:
    """The axes above the rows, and the rows, of nested groups."""
    nested = ["[" in group for group in groups]
    if not any(nested):
        return (len(groups),), groups
    if depth >= MAX_NESTING:
        raise Unreadable("nested", text=short(groups[0]))
    if not all(nested):
        raise Unreadable("outside-brackets", text=short(groups[nested.index(False)]))
    parts = [_flattened(_groups(group), depth + 1) for group in groups]
    for index, (outer, _) in enumerate(parts):
        if outer != parts[0][0]:
            raise Unreadable("ragged", row=index, count=outer[0], first=parts[0][0][0])
    return (len(groups), *parts[0][0]), [row for _, rows in parts for row in rows]


def _groups(text: str) -> list[str]:
    """The insides of the square brackets that stand side by side in `text`."""
    found: list[str] = []
    depth = start = outside = 0
    for place, char in enumerate(text):
        if char == "[":
            depth += 1
            if depth == 1:
                _check_between(text[outside:place])
                start = place + 1
        elif char == "]":
            depth -= 1
            if depth == 0:
                found.append(text[start:place])
                outside = place + 1
    _check_between(text[outside:])
    return found


def _check_between(text: str) -> None:
    if not _BETWEEN.fullmatch(text):
        raise Unreadable("outside-brackets", text=short(text))


# --- lines -------------------------------------------------------------------------------------------------------


def _lined(text: str, *, bracketed: bool) -> tuple[Grid, ...]:
    """The grids of a text without inner brackets: its lines, its lines and semicolons, one long row."""
    lines = [line for line in text.splitlines() if line.strip()] or [""]
    if all(line.startswith("\t") for line in lines):
        lines = [line.strip("\t") for line in lines]
    tabbed = not bracketed and any("\t" in line for line in lines) and not re.search(r"[,;]\s*\t", text)
    if tabbed:
        rows = tuple(line.strip(" \r") for line in lines)
        return (Grid((len(rows),) if len(rows) > 1 else (), rows, tabbed=True),)
    by_line = tuple(line.strip().rstrip(";,").strip() for line in lines)
    by_semicolon = tuple(part for line in by_line for part in pieces(line, lambda row, at: int(row[at] == ";")))
    found = [Grid((len(rows),), rows, bracketed=bracketed) for rows in (by_line, by_semicolon) if len(rows) > 1]
    single = Grid((), (" ".join(line.strip() for line in lines),), bracketed=bracketed)
    return tuple(dict.fromkeys([*found, single]))
