"""One worksheet under judgement, and one of its blanks on the way to a report."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from grader.judge.compare import expected, typed
from grader.judge.follow import Follower
from grader.model import Answer, Array, Blank, Finding, Mistake, Status, StepReport, Trace
from grader.trace import applicable

Other = tuple[Blank, Answer, Array]
"""Another blank, what was typed in it, and what is right there."""


@dataclass(frozen=True)
class Sheet:
    """What judging one worksheet needs at every blank; `typed` holds its full answers, `empty` step -> open blank."""

    right: Trace
    follower: Follower
    about: Sequence[str]
    typed: tuple[tuple[Blank, Answer], ...]
    empty: Mapping[str, str]

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes that can be made by hand here; a sheet without a wrong answer does without."""
        possible = applicable(self.follower.pipeline, self.follower.inputs, self.right)
        return tuple(mistake for mistake in possible if mistake.made != "code")

    def suspects(self, report: StepReport) -> Iterator[tuple[Mistake, ...]]:
        """The mistakes that may have made a wrong step what it is: each set that was said, in each way of making it."""
        if report.status == "wrong":
            sets = dict.fromkeys(one for found in report.findings for one in (found.mistakes, *found.alternatives))
            yield from self.made([ids for ids in sets if ids])

    def made(self, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[Mistake, ...]]:
        """These sets of mistakes in every way of making them."""
        for ids in sets:
            yield from product(*([way for way in self.mistakes if way.id == name] for name in ids))

    def others(self, blank: Blank) -> list[Other]:
        """The other blanks of numbers."""
        beside = [one for one in self.typed if one[0] is not blank and one[0].kind == "numbers"]
        return [(other, answer, expected(other, self.right)) for other, answer in beside]


@dataclass(frozen=True, slots=True)
class Mark:
    """One blank on its way to a report: what was typed, and the reference's numbers."""

    blank: Blank
    answer: Answer
    want: Array

    def wrong(self, cells: tuple[tuple[int, ...], ...], *findings: Finding) -> StepReport:
        """Wrong at these cells; no points."""
        return self.with_status("wrong", 0, *findings, cells=cells)

    def with_status(
        self, status: Status, share: Fraction | int, *findings: Finding, cells: tuple[tuple[int, ...], ...] = ()
    ) -> StepReport:
        """A status, that share of the points, and what is said, with what the reading had to say."""
        return StepReport(
            self.blank.name,
            status,
            self.blank.points * share,
            self.blank.points,
            findings + self.answer.notices,
            cells,
            self.answer.read_as,
            typed(self.answer),
            self.want,
        )


def additive(array: Array) -> Array:
    """A boolean mask as 0 / -inf, as masks are read from a worksheet; anything else as it is."""
    return np.where(array, 0.0, -np.inf) if array.dtype == bool else array
