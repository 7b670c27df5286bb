"""What is to be said of a wrong function: a place, a step and how sure that is."""

from typing import NamedTuple

from grader.judge.line.nodes import Node
from grader.judge.line.trials import Trial
from grader.sandbox.inside.rewrite import RETURNED


class Named(NamedTuple):
    """A place that is to be named, the step it was meant to be, and how sure that is.

    `step` may be empty: the line is sure, what it was meant to be is not. `part`: which part of a tuple is meant.
    """

    node: Node
    step: str
    sure: bool
    reason: str
    part: int = -1


def is_end(trial: Trial) -> bool:
    """Whether only what is returned in the end was repaired: that says nothing yet."""
    site = trial.node.site
    return site.kind == RETURNED and not trial.node.path
