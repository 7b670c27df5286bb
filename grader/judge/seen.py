"""What is known of a submission: every input it ran on, graded or our own, with what the right steps give there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

import numpy as np

from grader.judge import index, sets
from grader.judge.compare import CODE_TOLERANCE, close
from grader.judge.index import Index
from grader.judge.probes import Probe
from grader.judge.sets import Ground, Members, Plan
from grader.model import Array, Mistake, Outcome, Pipeline, Template
from grader.trace import applicable, catalogue_hash, pipelines, run

Shelf = Callable[[str, Callable[[], Index]], Index]
"""Gives the index kept under a key, or makes and keeps it."""

OVERFLOWS: Final = frozenset({"OverflowError", "ZeroDivisionError", "FloatingPointError"})
"""What plain Python raises where NumPy goes on with an infinity or NaN."""

UNDERFLOW: Final = "underflow"
"""How NumPy's message begins, where it is told to raise, for a number that became 0: no infinity, and no mistake."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One input that a submission ran on, and what came of it, in the template's own convention."""

    ground: Ground
    outcome: Outcome
    tolerance: float = CODE_TOLERANCE

    def agrees(self, members: Members) -> bool:
        """Whether this set gives what came of it: the same values, or an exception on both sides."""
        given = self.ground.gives(members)
        if self.outcome.ending == "returned":
            return given is not None and all(
                close(mine, yours, self.tolerance) for mine, yours in zip(given, self.outcome.values, strict=True)
            )
        if self.outcome.ending != "exception":
            return False
        if given is None:
            return True
        overflows = self.outcome.error in OVERFLOWS and not self.outcome.message.startswith(UNDERFLOW)
        return overflows and any(not np.isfinite(one).all() for one in given)


@dataclass(frozen=True, eq=False)
class Exercise:
    """A function exercise as it is searched: its pipeline, what it gives back, and all ways of making mistakes.

    `whole` is its plan with all inputs there: where a mistake can be made that some probes cannot show.
    """

    template: Template
    pipeline: Pipeline
    wanted: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    whole: Plan
    _grounds: dict[str, Ground] = field(default_factory=dict)

    def ground(self, inputs: Mapping[str, Array]) -> Ground:
        """The plan of this exercise on some inputs."""
        return Ground(sets.plan(self.pipeline, frozenset(inputs), self.wanted, self.mistakes), inputs)

    def on(self, probe: Probe) -> Ground:
        """The same on a probe; remembered."""
        if probe.name not in self._grounds:
            self._grounds[probe.name] = self.ground(probe.inputs)
        return self._grounds[probe.name]

    def index(self, probe: Probe, size: int, shelf: Shelf) -> Index:
        """What sets of up to two mistakes, or of exactly three, give on a probe."""
        least, most = (1, 2) if size < sets.MOST else (size, size)
        return shelf(self._key(probe, size), lambda: index.build(self.on(probe), most, least))

    def ids(self, members: Members) -> tuple[str, ...]:
        """The ids of a set, in the order of the steps they change."""
        return tuple(self.mistakes[member].id for member in members)

    def _key(self, probe: Probe, size: int) -> str:
        parts = [catalogue_hash(), str(index.FORMAT), self.template.pipeline, *self.wanted, str(size)]
        parts += [mistake.id for mistake in self.mistakes]  # which of them there are depends on the probes
        parts += [f"{name}:{array.dtype.str}:{array.shape}" for name, array in sorted(probe.inputs.items())]
        digest = sha256("\n".join(parts).encode())
        for _, array in sorted(probe.inputs.items()):
            digest.update(array.tobytes())
        return f"{self.template.id}-{probe.name}-{size}-{digest.hexdigest()[:24]}"


_MADE: dict[tuple[str, str], Exercise] = {}


def exercise(template: Template, probes: Sequence[Probe]) -> Exercise:
    """The exercise with every mistake of code that can show on its probes; remembered."""
    key = (template.id, template.drawing_hash)
    if key not in _MADE:
        _MADE[key] = _exercise(template, probes)
    return _MADE[key]


def _exercise(template: Template, probes: Sequence[Probe]) -> Exercise:
    assert template.function is not None  # noqa: S101 -- the caller judges function exercises only
    pipeline = pipelines()[template.pipeline]
    wanted = tuple(returned.step for returned in template.function.returns)
    possible = dict.fromkeys(mistake for probe in probes for mistake in _possible(pipeline, probe.inputs, wanted))
    fullest = max((frozenset(probe.inputs) for probe in probes), key=len)
    ways = sets.plan(pipeline, fullest, wanted, tuple(possible)).ways
    mistakes = tuple(way.mistake for way in sorted(ways, key=lambda way: way.first))
    return Exercise(template, pipeline, wanted, mistakes, sets.plan(pipeline, fullest, wanted, mistakes))


def _possible(pipeline: Pipeline, inputs: Mapping[str, Array], wanted: tuple[str, ...]) -> Iterator[Mistake]:
    """The mistakes of code that can show in what is wanted on one input."""
    able = tuple(one for one in applicable(pipeline, inputs, run(pipeline, inputs)) if one.made != "hand")
    return (way.mistake for way in sets.plan(pipeline, frozenset(inputs), wanted, able).ways if way.forms)
