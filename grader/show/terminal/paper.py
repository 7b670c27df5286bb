"""What a stream can carry: its width, its colours, the signs it can encode; and how lines are written to it."""

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from grader.show.terminal import abilities
from grader.show.terminal.line import Line

WIDEST = 80
NARROWEST = 40
PROBE = "✓✗½★−√ᵀ·…≈"
"""Signs of ours that not every encoding has."""

PLAIN_SIGNS = {
    "✓": "+",
    "✗": "x",
    "≈": "=",
    "…": "...",
    "·": "*",
    "−": "-",
    "×": "x",
    "√": "sqrt ",
    "ᵀ": "^T",
    "∞": "inf",
    "½": " 1/2",
    "⅓": " 1/3",
    "⅔": " 2/3",
    "¼": " 1/4",
    "¾": " 3/4",
    "⅛": " 1/8",
    "⅜": " 3/8",
    "⅝": " 5/8",
    "⅞": " 7/8",
    "★": "*",
    "☆": ".",
    "→": "->",
    "—": "-",
    "–": "-",
    "’": "'",
    "“": '"',
    "”": '"',
}
"""What stands for a sign where the stream cannot carry it."""

_TO_PLAIN = str.maketrans(PLAIN_SIGNS)


class Paper:
    """One stream to write to. `plain` is for screen readers: no colour, and words for every sign that means something.

    Signs beyond ASCII are replaced on a dumb terminal, in an old Windows console and where the encoding lacks them;
    whatever else the encoding lacks is spelled out rather than failing.
    """

    def __init__(self, stream: TextIO | None = None, *, plain: bool = False, width: int | None = None) -> None:
        """Look at the stream (standard output if none is given) and the environment once."""
        self.stream = stream if stream is not None else sys.stdout
        self.plain = plain
        self.codes = not plain and abilities.takes_codes(self.stream)
        self.encoding = getattr(self.stream, "encoding", None) or "utf-8"
        dumb = os.environ.get("TERM") == "dumb" or abilities.is_old_windows()
        self.ascii = dumb or not _carries(self.encoding, PROBE)
        self.width = max(NARROWEST, min(width or abilities.width(), WIDEST))

    def carries(self, text: str) -> bool:
        """Whether the stream can show these characters."""
        return _carries(self.encoding, text)

    def fit(self, text: str) -> str:
        """`text` in the signs that this stream can carry; measure and lay out only what went through here."""
        signs = text.translate(_TO_PLAIN) if self.ascii else text
        return signs.encode(self.encoding, "backslashreplace").decode(self.encoding)

    def print(self, lines: Iterable[Line]) -> None:
        """Write lines that were made for this paper, as they are."""
        colours = abilities.wants_colours()
        made = [line.coded(colours=colours) if self.codes else line.text for line in lines]
        self.stream.write("".join(f"{each}\n" for each in made))
        self.stream.flush()


def _carries(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
