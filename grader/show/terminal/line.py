"""One line of a page, parts of which are set off by a style, and its escape codes for a terminal."""

from itertools import groupby

CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
"""The styles there are; every terminal that takes any takes these."""
COLOURS = {"red", "green", "yellow"}


class Line:
    """Text of one line in one style; `stylize` gives a part of it another."""

    def __init__(self, text: str = "", style: str = "") -> None:
        """A line without spaces at its end."""
        self.text = text.rstrip()
        self._styles = [style] * len(self.text)

    def stylize(self, style: str, start: int = 0, end: int | None = None) -> None:
        """Set the characters from `start` to before `end` in this style."""
        for at in range(len(self.text))[start:end]:
            self._styles[at] = style

    def coded(self, *, colours: bool) -> str:
        """The text with its escape codes; without `colours` only those that are none."""
        made, at = "", 0
        for style, group in groupby(self._styles):
            part = self.text[at : at + len(list(group))]
            at += len(part)
            shown = style and (colours or style not in COLOURS)
            made += f"\x1b[{CODES[style]}m{part}\x1b[0m" if shown else part
        return made
