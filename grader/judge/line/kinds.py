"""An array made for whole numbers, into which others are put: they lose their decimals there, and nowhere else."""

import numpy as np

from grader.judge.line.named import Named
from grader.judge.line.nodes import Node
from grader.judge.line.search import Scene
from grader.sandbox.inside.rewrite import ASSIGNED, CALL, PLACE
from grader.sandbox.recorded import Replacement

MOST_TIMES = 64


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
