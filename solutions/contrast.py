"""Two ways side by side: a mask after softmax instead of before, and the same steps on changed inputs."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from solutions.checks import Anything, Floats
from solutions.one_head import shares, softmax, sums


class StepSpec(NamedTuple):
    """One step: its name, the names it needs, how it runs; an `optional` name that is absent comes as None."""

    name: str
    needs: tuple[str, ...]
    run: Callable[..., Any]
    optional: tuple[str, ...] = ()


def masked_after(s: Anything, mask: Anything) -> Floats:
    """Softmax over all keys, then zeros where blocked, not renormalised: rows no longer add to 1."""
    return np.where(mask, softmax(s), 0.0)  # (n, m)


def row_sums(after: Anything) -> Floats:
    """What each row adds to: (n, m) -> (n,)."""
    return sums(after)[..., 0]


def renormalised(after: Anything) -> Floats:
    """Every row over its sum: the same as masking before softmax."""
    return shares(after, sums(after))  # (n, m)


def renamed(name: str, kept: Sequence[str]) -> str:
    """The name of the changed twin of `name`."""
    return name if name in kept else f"{name}_new"


def changed(steps: Sequence[StepSpec], kept: Sequence[str] = ()) -> tuple[StepSpec, ...]:
    """The same steps on changed inputs: every name gets `_new`, but those `kept`."""
    return tuple(
        StepSpec(
            renamed(step.name, kept),
            tuple(renamed(name, kept) for name in step.needs),
            step.run,
            tuple(renamed(name, kept) for name in step.optional),
        )
        for step in steps
    )
