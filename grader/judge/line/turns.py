"""Axes that lie otherwise than they should."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from grader.judge.line.named import Named
from grader.judge.line.nodes import MAKERS, Node
from grader.judge.line.roles import Role
from grader.judge.line.search import TURNS, Scene, goes_on
from grader.judge.line.trials import Trial, native
from grader.model import Array
from grader.sandbox.inside.rewrite import PARAMETER, RETURNED, SUBSCRIPT, TARGET, TURNED
from grader.sandbox.recorded import Replacement

MOST_TURNED = 4
MOST_AXES = 3
RESHAPED = frozenset({"reshape", "expand_dims", "asarray", "array", "arange"})


def turned(scene: Scene, trial: Trial) -> Named | None:
    """An earlier step whose axes lie otherwise."""
    if trial.node.state in {"turned", "foreign"} and _only_turns(trial.node):
        return None  # it is the turn itself
    earlier = [
        native(node, role)
        for node in scene.nodes
        if node.order < trial.node.order and node.line != trial.node.line and node.site.kind != PARAMETER
        for role in _wanted(scene, node)
    ]
    found = scene.trials.first(earlier)
    return Named(found.node, found.role.step, sure=True, reason="turned") if found else None


def made_turned(scene: Scene, trial: Trial) -> Named | None:
    """Where an array was made to be filled, if it is given back as it was made and its axes lie otherwise."""
    node = trial.node
    if node.site.kind != RETURNED or node.state != "turned" or not node.views:
        return None
    if node.views[0].shape == trial.role.value.shape:
        return None
    reads = node.site.reads.split()
    for one in scene.nodes:
        if one.site.name in MAKERS and reads == [one.site.target] and one.value.array is not None:
            same = one.value.array.shape == node.views[0].shape
            return Named(one, trial.role.step, sure=True, reason="shape") if same else None
    return None


def turned_later(scene: Scene, trial: Trial) -> Trial:
    """The turn of what lies otherwise, if there is one that would put it right: until then it may lie so."""
    if trial.node.state != "turned" or not trial.node.site.target:
        return trial
    for node in scene.nodes:
        reads = node.site.reads.split()
        if node.order > trial.node.order and _only_turns(node) and reads == [trial.node.site.target]:
            later = native(node, trial.role)
            return later if scene.trials.works(later.repair) else trial
    return trial


def _only_turns(node: Node) -> bool:
    """Whether nothing but the order of axes changes there."""
    single = node.site.name != "einsum" or len(node.site.reads.split()) == 1
    return node.site.name in TURNS - {"reshape"} and single


def _wanted(scene: Scene, node: Node) -> Iterator[Role]:
    """What a node was meant to be, if its axes lie otherwise, or one is missing or too much."""
    if node.match is None:
        return
    if (node.state == "turned" and not goes_on(scene, node)) or _is_flat(node):
        yield node.match.role
    old, role = node.match.role, scene.role(node.match.role.step)
    if role is None or old.main or len(node.entries) > 1 or node.state != "legit":
        return
    if role.value.size == old.value.size and role.value.shape != old.value.shape:
        yield role


def _is_flat(node: Node) -> bool:
    """Whether an axis of one is missing or too much: a sum that did not keep its axis."""
    if node.match is None or node.state != "legit" or len(node.entries) > 1:
        return False
    return node.views[0].shape != node.match.role.value.shape


def misplaced(scene: Scene, trial: Trial) -> Named | None:
    """An earlier place whose value would do with its axes in another order, or with one more."""
    before = [
        node
        for node in scene.nodes
        if node.order < trial.node.order and node.line != trial.node.line and _may_turn(node)
        if not (node.state == "legit" and node.role == trial.role.name)  # it is right, and spoilt later
    ]
    for node in before[-MOST_TURNED:]:
        for value in _layouts(np.asarray(node.value.array)):
            if scene.trials.works([Replacement(node.number, node.entries[0].occurrence, (value,))]):
                step = node.match.role.step if node.match and node.match.role.main else trial.role.step
                return Named(node, step, sure=True, reason="turned")
    return None


def _may_turn(node: Node) -> bool:
    array = node.value.array
    if len(node.entries) != 1 or array is None or not 1 <= array.ndim <= MOST_AXES or array.size < 2:  # noqa: PLR2004
        return False
    if array.ndim == 1 or 1 in array.shape:
        return array.dtype.kind in "iu" and (node.site.name in RESHAPED or node.site.kind == SUBSCRIPT)
    renamed = node.site.kind == TARGET and len(node.site.reads.split()) == 1
    return renamed or node.site.kind == TURNED or node.site.name in TURNS


def _layouts(value: Array) -> Iterator[Array]:
    if value.ndim == 1:
        yield value[:, None]
    for order in permutations(range(value.ndim)):
        if list(order) != sorted(order):
            yield value.transpose(order)
