r"""Text from a submission made safe to show: nothing in it may move the cursor, hide, or reorder what stands beside it.

A character that could is shown as Python would write it (`\\x1b`, `\\u202e`); all other text stays as it is.
"""

import unicodedata

UNSAFE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories that are never printed: controls, formats (bidi, zero width), unassigned, private, separators."""

MARKS = 2
"""How many combining marks may follow one character; more would pile up over the lines above."""

LIMIT = 300
ELLIPSIS = "…"


def escape(text: str, limit: int = LIMIT) -> str:
    """`text` on one line, of at most `limit` characters or so, with every unsafe character spelled out."""
    shown, marks = [], 0
    for char in text[: limit + 1]:
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        shown.append(_spelled(char) if marks > MARKS or unicodedata.category(char) in UNSAFE else char)
    return clip("".join(shown), limit)


def escape_lines(text: str, most: int, limit: int = LIMIT) -> tuple[list[str], int]:
    """The first `most` lines of `text`, each escaped, and how many lines are left out."""
    lines = text.expandtabs(4).replace("\r\n", "\n").rstrip("\n").split("\n")
    return [escape(line.rstrip(), limit) for line in lines[:most]], max(0, len(lines) - most)


def clip(text: str, limit: int) -> str:
    """`text`, cut after `limit` characters with an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + ELLIPSIS


def _spelled(char: str) -> str:
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char) or char.encode("unicode_escape").decode("ascii")
