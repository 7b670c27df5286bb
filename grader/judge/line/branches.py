"""A condition that sent the function the wrong way."""

import numpy as np

from grader.judge.line.named import Named
from grader.judge.line.nodes import Node
from grader.judge.line.search import Scene
from grader.judge.line.surety import inputs_of
from grader.judge.line.trials import Trial
from grader.sandbox.inside.rewrite import ARGUMENT, LOADED, PARAMETER, RETURNED, TARGET
from grader.sandbox.recorded import NONE, SCALAR, Replacement

MOST_TIMES = 64
HELD = frozenset({PARAMETER, LOADED, ARGUMENT, TARGET, RETURNED})


def untrue(scene: Scene, trial: Trial) -> Named | None:
    """A condition that let through what is nothing, or does not hold where it should."""
    read = [node for node in inputs_of(scene, trial.node) if node is not None]
    read += [node for each in read for node in inputs_of(scene, each) if node is not None]
    if all(node.value.kind != NONE for node in read):
        return None
    for node in scene.nodes:
        if node.order >= trial.node.order:
            return None
        if _is_condition(node) and scene.trials.works(
            [Replacement(node.number, one.occurrence, (np.array(not _truth(one.value.array)),)) for one in node.entries]
        ):
            return Named(node, trial.role.step, sure=True, reason="condition")
    return None


def _is_condition(node: Node) -> bool:
    array = node.value.array
    if node.site.kind in HELD or node.value.kind != SCALAR or array is None or len(node.entries) > MOST_TIMES:
        return False
    return array.dtype.kind == "b"


def _truth(array: object) -> bool:
    return bool(array)
