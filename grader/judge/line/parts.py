"""What is wrong of several values that stand together: one of them, their order, or all."""

import numpy as np

from grader.judge.line.layout import alike
from grader.judge.line.named import Named
from grader.judge.line.nodes import Node
from grader.judge.line.search import Scene
from grader.judge.line.trials import Trial
from grader.model import Array
from grader.sandbox.inside.rewrite import ARGUMENT, LOADED, PARAMETER, PLACE, RETURNED, TARGET
from grader.sandbox.recorded import Value

HELD = frozenset({ARGUMENT, LOADED, PARAMETER, PLACE, RETURNED, TARGET})


def told(scene: Scene, trial: Trial, *, sure: bool, reason: str) -> Named:
    """The place repaired; of a tuple only what is wrong of it."""
    sure = sure and not (reason == "returned" and _is_empty(trial)) and not _only_handed_on(scene, trial)
    whole = Named(trial.node, trial.role.step, sure=sure, reason=reason)
    if not trial.parts:
        inner = not trial.role.main and not trial.role.given
        return whole._replace(reason="inner") if inner else whole
    wrong = [place for place in range(len(trial.parts)) if not _holds(trial, place, place)]
    if len(wrong) == 1:
        return whole._replace(step=trial.parts[wrong[0]].step, part=wrong[0])
    if wrong and all(any(_holds(trial, place, other) for other in wrong) for place in wrong):
        return whole._replace(reason="order")
    if not wrong or not sure:
        return whole._replace(step=trial.parts[wrong[0]].step) if wrong else whole
    return whole._replace(step="")


def _only_handed_on(scene: Scene, trial: Trial) -> bool:
    """Whether variables are given back as they are, and nothing else that was there would do better."""
    if trial.node.site.kind != RETURNED or not trial.node.site.reads:
        return False
    made = [node for node in scene.nodes if _within(node, trial.node) and node.site.kind not in HELD]
    if not trial.parts:
        return not made and not _was_there(scene, trial, trial.role.name)
    if len(trial.node.site.reads.split()) < len(trial.parts):
        return False  # one variable twice
    wrong = [place for place in range(len(trial.parts)) if not _holds(trial, place, place)]
    handed = [place for place in wrong if not any(_is_part(trial, place, node) for node in made)]
    return not all(_was_there(scene, trial, trial.parts[place].name) for place in handed)


def _within(node: Node, other: Node) -> bool:
    """Whether a place lies inside another."""
    (line, column, end_line, end_column), (first, begin, last, end) = node.site[4:8], other.site[4:8]
    return (line, column) >= (first, begin) and (end_line, end_column) <= (last, end)


def _is_part(trial: Trial, place: int, node: Node) -> bool:
    got, array = _array(trial.node.value, place), node.entries[-1].value.array
    return got is not None and array is not None and got.shape == array.shape and got.tobytes() == array.tobytes()


def _was_there(scene: Scene, trial: Trial, role: str) -> bool:
    """Whether a step was there, right, before the place that was repaired."""
    there = {"legit", "repeated"}
    return any(node.role == role and node.state in there and node.order < trial.node.order for node in scene.nodes)


def _is_empty(trial: Trial) -> bool:
    """Whether something that is given back was never set: then that went wrong earlier."""
    value = trial.node.value
    arrays = [_array(value, place) for place in range(len(value.parts))] if trial.parts else [value.array]
    return any(array is not None and array.dtype.kind == "f" and not array.any() for array in arrays)


def _holds(trial: Trial, place: int, other: int) -> bool:
    """Whether one part is, each time, what another one should be."""
    return all(
        _same(one.values[other], _array(entry.value, place))
        for one, entry in zip(trial.repair, trial.node.entries, strict=False)
    )


def _array(value: Value, place: int) -> Array | None:
    part = value.parts[place] if place < len(value.parts) else None
    return part.array if isinstance(part, Value) else part


def _same(want: object, got: Array | None) -> bool:
    return isinstance(want, np.ndarray) and got is not None and want.shape == got.shape and alike(want, got)
