"""Arrays of another kind: made for whole numbers, where decimals get lost; numbers where true and false are asked."""

from collections.abc import Iterator

import numpy as np

from grader.judge.line.named import Named
from grader.judge.line.nodes import Node
from grader.judge.line.search import Scene
from grader.judge.line.trials import Trial, native
from grader.sandbox.inside.rewrite import ARGUMENT, ASSIGNED, CALL, LOADED, PARAMETER, PLACE, RETURNED, TARGET
from grader.sandbox.recorded import Replacement

MOST_TIMES = 64
MOST_TRUTHS = 200
HELD = frozenset({ARGUMENT, LOADED, PARAMETER, PLACE, RETURNED, TARGET})
AS_NUMBERS = frozenset({"mask_numbers", "blocked_numbers", "additive"})


def whole_numbers(scene: Scene) -> Named | None:
    """Where such an array is made, if the result is right with one that keeps decimals."""
    filled = {node.site.name for node in scene.nodes if node.site.kind == PLACE}
    for node in scene.nodes:
        if node.site.target in filled and _is_whole(node):
            repair = [
                Replacement(node.number, one.occurrence, (np.asarray(one.value.array, dtype=np.float64),))
                for one in node.entries
            ]
            if scene.trials.works(repair):
                return Named(node, "", sure=True, reason="whole-numbers")
    return None


def _is_whole(node: Node) -> bool:
    made = node.site.kind == CALL and node.site.flags & ASSIGNED and len(node.entries) <= MOST_TIMES
    arrays = [one.value.array for one in node.entries]
    return bool(made) and all(array is not None and array.ndim > 0 and array.dtype.kind in "iu" for array in arrays)


def numbers_for_truths(scene: Scene, trial: Trial) -> Named | None:
    """Where numbers are made that should be true and false, if the result is right with those instead."""
    got, want = trial.node.value.array, trial.role.value
    if trial.node.site.kind != RETURNED or want.dtype != bool or got is None or got.dtype.kind not in "iuf":
        return None
    found = scene.trials.first(
        one for node in scene.nodes if node.order < trial.node.order for one in _truths(node, trial)
    )
    return Named(found.node, trial.role.step, sure=True, reason="kind") if found else None


def _truths(node: Node, trial: Trial) -> Iterator[Trial]:
    """The same numbers as truths; the mask itself where they are one of its other forms."""
    arrays = [entry.value.array for entry in node.entries]
    if node.site.kind in HELD or len(arrays) > MOST_TRUTHS or any(one is None for one in arrays):
        return
    if all(one is not None and one.dtype.kind in "iuf" and one.size for one in arrays):
        if all(np.isin(one, (0, 1)).all() for one in arrays if one is not None):
            repair = (
                Replacement(node.number, entry.occurrence, (np.asarray(entry.value.array, dtype=bool),))
                for entry in node.entries
            )
            yield Trial(node, trial.role, tuple(repair))
        if node.role in AS_NUMBERS and len(arrays) == 1:
            yield native(node, trial.role)
