"""A worksheet file taken apart: front matter and the entries of its one block of answers.

The block is no YAML: people paste whole matrices into it, and a comma can be a decimal point. An entry is `name: value`
and goes on until the next name; `#` begins a comment. A bracket left open is a fault of that entry alone.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

from grader.errors import BadInput
from grader.model import RawAnswer
from grader.worksheet.normal import punctuation
from grader.worksheet.unreadable import short

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_PAIR: Final = re.compile(r"([A-Za-z_][\w-]*)\s*[:：]\s*(.*?)\s*")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})\s*(\S*)[^`]*")
_ENTRY: Final = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)[ \t]*([:：=])(?!=)[ \t]*(.*)", re.DOTALL)
_COMMENT: Final = re.compile(r"[#＃].*", re.DOTALL)
_HEADER: Final = re.compile(r"#\s*(problem|variant|lang|points)\s*[:：]\s*(.*?)\s*")
BLOCK: Final = "answers"


class Entry(NamedTuple):
    """One entry with its place: the indices of its first line and of the line behind its last."""

    name: str
    text: str
    first: int
    end: int


def split(source: str, path: Path) -> tuple[dict[str, str], tuple[RawAnswer, ...]]:
    """The front matter and the raw answers of a worksheet. Raises `BadInput`."""
    matter, _ = _front_matter(lines_of(source), path)
    found = entries(source, path)
    return matter, tuple(RawAnswer(entry.name, entry.text, entry.first + 1) for entry in found)


def header(source: str) -> dict[str, str]:
    """The `# problem:` and `# variant:` lines at the top of a stub; the source itself is not looked at."""
    found: dict[str, str] = {}
    for line in lines_of(source):
        if line.strip() and not line.startswith("#"):
            break
        if match := _HEADER.fullmatch(line.rstrip()):
            found.setdefault(match[1], match[2])
    return found


def line_of_head(source: str, key: str) -> int | None:
    """The line that begins with a key of the head, counted from 1."""
    lines = enumerate(lines_of(source), start=1)
    return next((number for number, line in lines if line.lstrip("# ").startswith(key)), None)


def check_names(raws: Sequence[RawAnswer], names: Sequence[str], file: Path) -> None:
    """Raise `BadInput` if an entry is none of the blanks, with the nearest one."""
    for raw in raws:
        if raw.name not in names:
            near = get_close_matches(raw.name, names, n=1)
            said: dict[str, Any] = {"file": file, "line": raw.line, "name": short(raw.name), "names": ", ".join(names)}
            if near:
                raise BadInput("worksheet-unknown-name-near", near=near[0], **said)
            raise BadInput("worksheet-unknown-name", **said)


def lines_of(source: str) -> list[str]:
    """The lines of a file with their endings, as an editor counts them."""
    return _LINE.findall(source.removeprefix("\ufeff"))


def entries(source: str, path: Path) -> tuple[Entry, ...]:
    """The entries of the one block of answers. Raises `BadInput`."""
    lines = lines_of(source)
    _, start = _front_matter(lines, path)
    first, end = _block(lines, start, path)
    found: list[Entry] = []
    for entry in _entries(lines, first, end, path):
        doubled = next((other for other in found if other.name == entry.name), None)
        if doubled:
            where = {"line": entry.first + 1, "first": doubled.first + 1}
            raise BadInput("worksheet-name-doubled", file=path, name=short(entry.name), **where)
        found.append(entry)
    return tuple(found)


def without_comment(line: str) -> str:
    """A line of the block as far as it is read."""
    return _COMMENT.sub("", line).rstrip(" \r\n")


def _front_matter(lines: list[str], path: Path) -> tuple[dict[str, str], int]:
    """The front matter, and the index of the line behind it."""
    start = next((index for index, line in enumerate(lines) if line.strip()), 0)
    if not lines or lines[start].rstrip() != "---":
        raise BadInput("worksheet-no-front-matter", file=path, line=1, has_answers=any(map(_opens, lines)))
    found: dict[str, str] = {}
    for index in range(start + 1, len(lines)):
        line = lines[index].strip()
        if line in {"---", "..."}:
            return found, index + 1
        if match := _PAIR.fullmatch(line):
            found[match[1]] = match[2].strip("\"'")
    raise BadInput("worksheet-open-front-matter", file=path, line=start + 1)


def _opens(line: str) -> bool:
    """Whether a line begins the block of answers."""
    match = _FENCE.fullmatch(line.rstrip("\r\n"))
    return match is not None and match[2].lower() == BLOCK


def _block(lines: list[str], start: int, path: Path) -> tuple[int, int]:
    """The line indices between the fences of the one block of answers."""
    blocks: list[tuple[int, int]] = []
    opened: tuple[str, str, int] | None = None
    for index in range(start, len(lines)):
        match = _FENCE.fullmatch(lines[index].rstrip("\r\n"))
        if not match:
            continue
        marks, info = match[1], match[2].lower()
        if opened is None:
            opened = marks, info, index
        elif not info and marks.startswith(opened[0]):
            if opened[1] == BLOCK:
                blocks.append((opened[2] + 1, index))
            opened = None
        elif info and opened[1] == BLOCK:
            raise BadInput("worksheet-open-fence", file=path, line=opened[2] + 1)
    if opened and (opened[1] == BLOCK or not blocks):
        raise BadInput("worksheet-open-fence", file=path, line=opened[2] + 1)
    if not blocks:
        raise BadInput("worksheet-no-block", file=path)
    if len(blocks) > 1:
        raise BadInput("worksheet-two-blocks", file=path, line=blocks[1][0], first=blocks[0][0])
    return blocks[0]


def _entries(lines: list[str], first: int, end: int, path: Path) -> Iterator[Entry]:
    """The entries between two lines."""
    name, texts, start, last = "", [""], first, first
    for index in range(first, end):
        line = without_comment(lines[index])
        match = _ENTRY.fullmatch(line)
        if match and (match[2] != "=" or not name or _is_complete(texts)):
            if name:
                yield Entry(name, "\n".join(texts), start, last)
            name, texts, start, last = match[1].lower(), [match[3]], index, index + 1
        elif line.strip():
            if not name:
                raise BadInput("worksheet-text-before-name", file=path, line=index + 1, text=short(line))
            texts += ["" for _ in range(last, index)] + [line]
            last = index + 1
    if name:
        yield Entry(name, "\n".join(texts), start, last)


def _is_complete(texts: list[str]) -> bool:
    """Whether a value has begun and all of its brackets are closed."""
    text = punctuation("".join(texts))
    return bool(text.strip()) and sum(text.count(mark) for mark in "([{") <= sum(text.count(mark) for mark in ")]}")
