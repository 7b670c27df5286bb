"""What a law is, how one is written, and what all of them share.

A law is one generator: it says which inputs it wants to see run, gets what came back for each, and returns the numbers
of its sentence if it is broken. To add a law is to write one function under `@law(code, ...)`, and its sentence.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.judge.law_scene import Inputs, Scene, Values
from grader.model import Array

Broken = Mapping[str, Any] | None
Experiment = Generator[Sequence[Inputs], Sequence[Values], Broken]
"""Yields once, the inputs wanted; is sent the values for each; returns the numbers if the law is broken."""

NEAR = 1e-5
"""How far two results that must agree may be apart, relative to one more than their size: single precision passes."""
NOTHING = 1e-6
"""A weight, or a change, below this is none."""
SEEN = 1e-3
"""What must show: a weight, or a change, that the reference has at least this large."""
NO_WEIGHT = 1e-12
"""A weight, or a change by a key, below this is none at all: softmax gives more, even to scores far apart."""
QUERY_STEPS = ("weights", "output", "projected")
"""The steps that hold one row for each query."""


@dataclass(frozen=True, slots=True)
class Law:
    """One law: its code, the inputs and returned steps it needs, and its experiment. `finite`: NaN is no answer.

    `mistake` is the catalogued one of which breaking this law is the very mark, if there is one.
    """

    code: str
    takes: tuple[str, ...]
    returns: tuple[str, ...]
    experiment: Callable[[Scene], Experiment]
    finite: bool = True
    mistake: str = ""

    def holds_for(self, scene: Scene) -> bool:
        """Whether the exercise has what the law speaks of."""
        return scene.has(*self.takes) and set(self.returns) <= scene.returned.keys()


Written = Callable[[Scene], Experiment]


def register(laws: list[Law]) -> Callable[..., Callable[[Written], Written]]:
    """The decorator that makes a generator a law and puts it behind those of a list."""

    def law(
        code: str, *, takes: Sequence[str] = (), returns: Sequence[str] = (), finite: bool = True, mistake: str = ""
    ) -> Callable[[Written], Written]:
        def add(experiment: Written) -> Written:
            laws.append(Law(code, tuple(takes), tuple(returns), experiment, finite, mistake))
            return experiment

        return add

    return law


def far(got: Array, want: Array | float, near: float = NEAR) -> Array:
    """Where two results that must agree do not; NaN never agrees."""
    if np.asarray(got).dtype == bool:
        return np.asarray(got != want)
    return np.asarray(~(np.abs(got - want) <= near * (1 + np.abs(want))))


def first(places: Array) -> tuple[int, ...] | None:
    """The first place that is true."""
    found = np.argwhere(places)
    return tuple(int(one) for one in found[0]) if len(found) else None


def rows(places: Array) -> list[int]:
    """The rows (last axis but one) in which a place is true."""
    return [int(row) for row in np.flatnonzero(places.any(axis=(*range(places.ndim - 2), -1)))]


def shown(place: Sequence[int]) -> int | str:
    """A place as it is said: one number, or its indices in brackets; of a single row, 0."""
    if len(place) > 1:
        return str(list(place))
    return place[0] if place else 0


def touched_rows(places: Array) -> Array:
    """For every row (along the last axis) whether a place in it is true."""
    return np.asarray(places.any(axis=-1))


def returned_rows(scene: Scene) -> list[str]:
    """The returned steps that hold one row for each query."""
    return [step for step in QUERY_STEPS if step in scene.returned]


def weight_at(weights: Array, place: tuple[int, ...]) -> dict[str, int | float]:
    """One weight as it is said: its query, its key, its size."""
    return {"token": place[-2], "key": place[-1], "weight": float(weights[place])}
