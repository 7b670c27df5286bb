"""What the figures on naming have in common: learners made from the catalogue, and a tally of what is said of them."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from grader.model import Finding

T = TypeVar("T")


@dataclass
class Tally:
    """What was said about some wrong answers, and how long it took."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    odd: list[tuple[object, ...]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Count another tally in."""
        self.counts.update(other.counts)
        self.seconds += other.seconds
        self.odd += other.odd

    def share(self, *names: str) -> str:
        """How many of all were these, in percent."""
        total = sum(self.counts.values())
        return f"{100 * sum(self.counts[name] for name in names) / total:.2f} %" if total else "-"

    def line(self) -> str:
        """All counts, the most frequent first."""
        return ", ".join(f"{name} {count}" for name, count in self.counts.most_common())

    def cost(self) -> str:
        """The median and the longest time."""
        if not self.seconds:
            return "-"
        return f"median {1e3 * median(self.seconds):.1f} ms, longest {1e3 * max(self.seconds):.0f} ms"


def said(findings: Iterable[Sequence[Finding]]) -> list[frozenset[str]]:
    """Every set of mistakes that is said."""
    every = [finding for some in findings for finding in some if finding.mistakes]
    return [frozenset(one) for finding in every for one in (finding.mistakes, *finding.alternatives)]


def product(ways: Sequence[Sequence[T]]) -> Iterator[tuple[T, ...]]:
    """One of each, in every way."""
    if not ways:
        yield ()
        return
    for first in ways[0]:
        for rest in product(ways[1:]):
            yield (first, *rest)
