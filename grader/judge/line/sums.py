"""A sum that is set to zero before a loop only, where each round of the loop should start anew."""

from collections.abc import Iterator, Sequence

import numpy as np

from grader.judge.line.nodes import Node
from grader.judge.line.search import Scene
from grader.judge.line.trials import Trial
from grader.model import Array
from grader.sandbox.inside.rewrite import GROWS, LOOP
from grader.sandbox.recorded import Replacement

MOST_SUMS = 4
MOST_TIMES = 300


def restarted(scene: Scene) -> Iterator[Trial]:
    """What a sum would have been if it had started anew in each round of a loop around it."""
    sums = [node for node in scene.nodes if node.site.flags & GROWS and node.site.flags & LOOP and _is_sum(node)]
    for node in sums[:MOST_SUMS]:
        start = _start(scene, node)
        for rounds in _rounds(scene, node, start) if start is not None else ():
            if start is not None:
                yield _anew(scene, node, start, rounds)


def _is_sum(node: Node) -> bool:
    """Whether the same kind of number was seen each time."""
    arrays = [entry.value.array for entry in node.entries]
    known = [one for one in arrays if one is not None and one.dtype.kind == "f"]
    return 1 < len(arrays) == len(known) <= MOST_TIMES and len({one.shape for one in known}) == 1


def _start(scene: Scene, node: Node) -> Node | None:
    """Where the variable was set before the loop."""
    before = [
        one
        for one in scene.nodes
        if one.site.target == node.site.target and one.site.function == node.site.function and one.path == node.path
        if one.line < node.line and not one.site.flags & GROWS and one.value.array is not None
    ]
    return before[-1] if before else None


def _rounds(scene: Scene, node: Node, start: Node) -> list[int]:
    """How many rounds the loops between have gone through, those of the outermost first."""
    loops = [one for one in scene.nodes if one.site.name == "for" and one.path == node.path]
    counts = [len(one.entries) for one in loops if start.line < one.line < node.line]
    times = len(node.entries)
    return [one for one in dict.fromkeys(counts) if len(start.entries) < one <= times and times % one == 0]


def _anew(scene: Scene, node: Node, start: Node, rounds: int) -> Trial:
    values = [np.asarray(entry.value.array) for entry in node.entries]
    zero = np.asarray(start.value.array)
    size, reset = len(values) // rounds, max(1, len(values) // len(start.entries))
    bases = [zero if at % reset == 0 else values[at - 1] for at in range(0, len(values), size)]
    return Trial(start, scene.roles[0], tuple(_less(node, values, bases, zero, size)), reason="restarted")


def _less(node: Node, values: Sequence[Array], bases: Sequence[Array], zero: Array, size: int) -> Iterator[Replacement]:
    for place, (entry, value) in enumerate(zip(node.entries, values, strict=True)):
        yield Replacement(node.number, entry.occurrence, (np.asarray(value - bases[place // size] + zero),))
