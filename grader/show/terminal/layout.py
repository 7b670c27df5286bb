"""Text laid out by the cells it takes on a terminal: a Chinese character takes two."""

import re
from collections.abc import Iterable, Sequence

from rich.cells import cell_len

_WIDE = "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]"
_OPENING = "（《「『【〈“‘(["
_CLOSING = "，。、；：？！）》」』】〉”’…,.;:!?)%]"
_UNIT = rf"\s+|[{re.escape(_OPENING)}]*(?:{_WIDE}|[^\s{_WIDE[1:-1]}]+)[{re.escape(_CLOSING)}]*|\S"
"""What a line may not be broken within: a word, or one Chinese character with the marks that belong to it."""

_WHOLE = rf"^\S+:\d+:(?:\d+:)?|`[^`]+`[{re.escape(_CLOSING)}]*|{_UNIT}"
"""The same, but what a line names stays whole as well. Both take long to compile, and short lines do without."""

_HANGING = "  "

_VERBATIM = re.compile(r"^(?: {4}|\t|\||#{1,6} )")
_WIDE = "\u3000-\u9fff\uff00-\uff60"
_MARKS = "，。；：、！？（）“”《》"
_BETWEEN_WIDE = re.compile(f"(?<=[{_WIDE}])\n(?=[{_WIDE}])|(?<=[{_MARKS}])\n|\n(?=[{_MARKS}])")
"""A line's end that is no space: between two Chinese characters, or beside a Chinese mark."""
_ITEM = re.compile(r"^(\s*(?:[-*]|\d+[.)])\s+)")


def measure(text: str) -> int:
    """The cells that a text takes."""
    return cell_len(text)


def pad(text: str, width: int) -> str:
    """`text` filled up with spaces to `width` cells."""
    return text + " " * max(0, width - measure(text))


def fit_right(text: str, width: int) -> str:
    """`text` moved to the right end of `width` cells."""
    return " " * max(0, width - measure(text)) + text


def clip(text: str, width: int, end: str = "…") -> str:
    """`text`, cut to `width` cells with `end` if it is longer."""
    if measure(text) <= width:
        return text
    return _prefix(text, max(0, width - measure(end))).rstrip() + end


def wrap(text: str, width: int, indent: str = "", hanging: str | None = None) -> list[str]:
    """`text` in lines of at most `width` cells, broken between words or Chinese characters.

    `indent` begins the first line and `hanging` the others; a word longer than a line is cut.
    """
    following = indent if hanging is None else hanging
    lines, line = [], indent
    text = " ".join(text.split())
    if measure(indent + text) <= width:
        return [(indent + text).rstrip()]
    for unit in re.findall(_UNIT, text):
        if measure(line + unit.rstrip()) > width and line.strip():
            lines.append(line.rstrip())
            line = following
        unit = unit.lstrip() if line in {indent, following} else unit  # noqa: PLW2901 -- no space begins a line
        line += unit
        while measure(line.rstrip()) > width:
            head = _prefix(line, width)
            if len(head) <= len(following):
                break
            lines.append(head)
            line = following + line[len(head) :]
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def hang(text: str, width: int) -> list[str]:
    """One line said beside an answer, wrapped; what it names stays whole: the place before it, commands, paths.

    Lines that are set in already, as in a traceback, are kept.
    """
    if text[:1].isspace() or measure(text) <= width:
        return [text]
    lines, line = [], ""
    for unit in re.findall(_WHOLE, text):
        if line.strip() and measure(line + unit.rstrip()) > width:
            lines.append(line.rstrip())
            line, unit = _HANGING, unit.lstrip()  # noqa: PLW2901 -- no space begins a line
        line += unit
    return [*lines, line.rstrip()] if line.strip() else lines


def prose(text: str, width: int, indent: str = "", *, cut: bool = True) -> list[str]:
    """Markdown as lines: paragraphs and items are wrapped; blocks, tables and headings are kept, and cut or not."""
    lines: list[str] = []
    fenced = False
    paragraph: list[str] = []
    for line in [*text.strip("\n").splitlines(), ""]:
        fence = line.lstrip().startswith("```")
        verbatim = fenced or fence or bool(_VERBATIM.match(line))
        if paragraph and (verbatim or not line.strip() or _ITEM.match(line)):
            lines += _wrapped(paragraph, width, indent)
            paragraph = []
        fenced = fenced != fence
        if fence:
            continue
        if verbatim or not line.strip():
            lines.append(clip(indent + line.rstrip(), width) if cut else indent + line.rstrip())
        else:
            paragraph.append(line)
    return _without_double_blanks(lines)


def columns(rows: Sequence[Sequence[str]], right: Iterable[int] = (), gap: int = 2) -> list[str]:
    """Rows as aligned columns; those in `right` are aligned at their right end."""
    aligned = [fit_right if at in set(right) else pad for at in range(len(rows[0]))]
    wide = widths(rows)
    joined = (
        (" " * gap).join(align(text, width) for align, text, width in zip(aligned, row, wide, strict=True))
        for row in rows
    )
    return [line.rstrip() for line in joined]


def widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """The cells that each column takes."""
    return [max(map(measure, column)) for column in zip(*rows, strict=True)]


def ends(left: str, right: str, width: int) -> list[str]:
    """One text at either end of a line, or on two lines if both do not fit."""
    if measure(left) + measure(right) + 2 <= width:
        return [left + fit_right(right, width - measure(left)) if right else left]
    return [*wrap(left, width), *wrap(right, width)]


def _wrapped(paragraph: list[str], width: int, indent: str) -> list[str]:
    item = _ITEM.match(paragraph[0])
    hanging = indent + " " * (len(item.group(1)) if item else 0)
    return wrap(_BETWEEN_WIDE.sub("", "\n".join(map(str.strip, paragraph))).replace("\n", " "), width, indent, hanging)


def _without_double_blanks(lines: list[str]) -> list[str]:
    kept = [line for at, line in enumerate(lines) if line.strip() or (at and lines[at - 1].strip())]
    return kept[:-1] if kept and not kept[-1].strip() else kept


def _prefix(text: str, width: int) -> str:
    """The longest beginning of `text` that takes at most `width` cells."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(text[:middle]) <= width else (low, middle - 1)
    return text[:low]
