"""What every page needs: the paper, the words, the language, and how much may be revealed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Any

from grader.model import Finding, Lang, StepReport, Text, Words
from grader.show import text
from grader.show.command import adapt
from grader.show.escape import escape
from grader.show.number import points
from grader.show.terminal import layout
from grader.show.terminal.line import Line
from grader.show.terminal.paper import Paper

MARKS = {
    "right": ("✓", "+"),
    "wrong": ("✗", "x"),
    "carried": ("~", "~"),
    "imprecise": ("≈", "="),
    "blank": ("·", "."),
    "unreadable": ("?", "?"),
    "refused": ("⊘", "o"),
    "not-written": ("…", "-"),
    "crashed": ("!", "!"),
    "stopped": ("■", "#"),
}
"""A status's mark, and its mark in ASCII."""

STYLES = {"right": "green", "carried": "yellow", "imprecise": "yellow", "blank": "dim", "not-written": "dim"}
"""Colours of statuses, always beside a mark or a word; any other status is red."""

HIGHEST = 3
"""The highest difficulty."""

HEADING = "bold"
QUIET = "dim"


@dataclass(frozen=True, slots=True)
class View:
    """One way of looking: everything said passes through here, so that all of it fits the paper."""

    paper: Paper
    words: Words
    lang: Lang
    reveal: bool = False

    @property
    def width(self) -> int:
        """The cells of a line."""
        return self.paper.width

    def say(self, code: str, **numbers: Any) -> str:
        """The sentence of a code."""
        return self.paper.fit(adapt(text.sentence(code, numbers, self.words, self.lang)))

    def finding(self, found: Finding, problem: str) -> str:
        """The sentence of a finding."""
        return self.paper.fit(text.finding(found, self.words, self.lang, problem))

    def pick(self, both: Text) -> str:
        """One of two languages."""
        return self.paper.fit(escape(text.pick(both, self.lang)))

    def pick_raw(self, both: Text) -> str:
        """One of two languages of a text of ours that may have several lines."""
        return self.paper.fit(text.pick(both, self.lang))

    def safe(self, foreign: str) -> str:
        """Text that is not ours, on one line."""
        return self.paper.fit(escape(foreign))

    def path(self, file: Path | None, line: int | None = None) -> str:
        """`file:line`."""
        return self.paper.fit(text.place(file, line))

    def points(self, value: Fraction) -> str:
        """Points, exact; as a decimal where a sign of a fraction would not be shown or read out."""
        return points(value, signs=not (self.paper.ascii or self.paper.plain))

    def listed(self, things: Sequence[object]) -> str:
        """Several things named in a sentence: `4, 5 and 6`."""
        *most, last = map(str, things)
        return self.say("list-and", most=", ".join(most), last=last) if most else last

    def row(self, things: Sequence[str]) -> str:
        """Several things one after the other: `4, 5, 6`."""
        return reduce(lambda most, one: self.say("list-next", most=most, next=one), things) if things else ""

    def mark(self, status: str) -> str:
        """The sign of a status."""
        return MARKS[status][self.paper.ascii]

    def status(self, status: str) -> str:
        """The word of a status."""
        return self.say(f"status-{status}")

    def clip(self, line: str, width: int | None = None) -> str:
        """A line cut to the width."""
        return layout.clip(line, self.width if width is None else width, self.paper.fit("…"))

    def lines(self, texts: Iterable[str], style: str = "") -> list[Line]:
        """Lines of one style; each is cut to the width, as the last resort."""
        return [Line(self.clip(each), style=style) for each in texts]

    def wrapped(self, said: str, indent: str = "", style: str = "") -> list[Line]:
        """A sentence in as many lines as it needs."""
        return self.lines(layout.wrap(said, self.width, indent), style)


def style_of(status: str) -> str:
    """The colour of a status."""
    return STYLES.get(status, "red")


def is_done(step: StepReport) -> bool:
    """Whether nothing is left to do at this step."""
    return step.status in {"right", "carried"}


def stars(difficulty: int) -> str:
    """A difficulty as stars."""
    return "★" * difficulty + "☆" * (HIGHEST - difficulty)
