"""What a catalogued mistake is: an id, where it lives, who makes it, and the steps computed its way."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from numpy.typing import NDArray

from solutions.contrast import StepSpec

Made = Literal["hand", "code", "both"]
When = Callable[[Mapping[str, NDArray[Any]]], bool]


class MistakeSpec(NamedTuple):
    """One mistake.

    `steps` may hold several forms of one step, for the names of several pipelines: the first whose needs are there is
    the one that is made; steps of another pipeline do not matter. `when` says from the right trace whether it can
    show there at all.
    """

    id: str
    step: str
    made: Made
    steps: tuple[StepSpec, ...]
    when: When | None = None


def hand(name: str, step: str, *steps: StepSpec, when: When | None = None) -> MistakeSpec:
    """A mistake made with a pencil."""
    return MistakeSpec(name, step, "hand", steps, when)


def code(name: str, step: str, *steps: StepSpec, when: When | None = None) -> MistakeSpec:
    """A mistake made in code."""
    return MistakeSpec(name, step, "code", steps, when)


def both(name: str, step: str, *steps: StepSpec, when: When | None = None) -> MistakeSpec:
    """A mistake made with a pencil and in code."""
    return MistakeSpec(name, step, "both", steps, when)
