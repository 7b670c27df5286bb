"""An earlier place that explains the one repaired.

The first repair that makes a result right shows where it went wrong, or where something wrong came in. What came in may
be a width read from the wrong axis, a sum that did not start from zero, queries and keys in each other's places, the
wrong thing handed to a helper, a step left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from grader.judge.line.branches import untrue
from grader.judge.line.handed import GIVEN, complete, handed, ingredient, this_call
from grader.judge.line.mixed import mixed_up
from grader.judge.line.named import Named, is_end
from grader.judge.line.nodes import MAKERS, Node
from grader.judge.line.roles import Role
from grader.judge.line.rounds import cut_rows
from grader.judge.line.search import Scene, hides
from grader.judge.line.surety import KNOWN, inputs_of, sure
from grader.judge.line.trials import Trial, fitting, likewise, native
from grader.judge.line.turns import misplaced, turned
from grader.sandbox.inside.rewrite import (
    ARGUMENT,
    ASSIGNED,
    BINARY,
    CALL,
    GROWS,
    LISTED,
    LOADED,
    LOOP,
    PARAMETER,
    PLACE,
    RETURNED,
)
from grader.sandbox.recorded import SCALAR, Replacement

MOST_TIMES = 4
MOST_WIDTHS = 8
INTEGERS = ("d_k", "d_head", "n_heads")
NEED_WIDTH = frozenset(
    {"scaled", "masked", "minus_max", "exp", "weights", "output", "q_heads", "heads", "concat", "projected"}
)
ALMOST = ("_scaled", "_fourth", "_rows", "blocks")
AXES = ("axis", "dim")
FACTORS = ("scale", "temp", "root", "sqrt", "factor", "norm", "denom")


def upstream(scene: Scene, trial: Trial) -> Named | None:
    """An earlier place that explains the one repaired: a width read wrongly, a role mixed up, a step left out."""
    return (
        this_call(scene, trial.node, trial.role.step)
        or _axis(scene, trial)
        or _width(scene, trial)
        or factor(scene, trial.node)
        or _start(scene, trial)
        or (None if complete(scene, trial) else _came_in(scene, trial))
    )


def _came_in(scene: Scene, trial: Trial) -> Named | None:
    """An earlier place that holds the wrong thing, where not all that is needed went in."""
    return (
        turned(scene, trial)
        or handed(scene, trial)
        or ingredient(scene, trial)
        or mixed_up(scene, trial)
        or misplaced(scene, trial)
        or _skipped(scene, trial)
        or untrue(scene, trial)
        or _of_part(scene, trial)
    )


def _axis(scene: Scene, trial: Trial) -> Named | None:
    """The axis, where it is a variable: named where it is set, for a parameter at its default or at the call."""
    for node in inputs_of(scene, trial.node):
        if node is None or node.state != "integer" or not any(word in node.site.target for word in AXES):
            continue
        now = int(node.views[0].stack.flat[0])
        for other in (axis for axis in (-1, 0, 1, -2) if axis != now):
            if scene.trials.works([Replacement(node.number, one.occurrence, (other,)) for one in node.entries]):
                handed = _number_handed(scene, node, now)
                return Named(handed or node, trial.role.step, sure=True, reason="axis")
    return None


def _number_handed(scene: Scene, node: Node, value: int) -> Node | None:
    """The number that a call handed over as a parameter, if it did."""
    if node.site.kind not in GIVEN or not node.path:
        return None
    for one in scene.nodes:
        here = one.site.kind == ARGUMENT and one.site.parent == node.path[-1] and one.path == node.path[:-1]
        if here and one.state == "integer" and int(one.views[0].stack.flat[0]) == value:
            return one
    return None


def _width(scene: Scene, trial: Trial) -> Named | None:
    """A whole number read from the wrong place, on an earlier line."""
    if trial.role.step not in NEED_WIDTH:
        return None
    found = scene.trials.first(_widths(scene, trial))
    return Named(found.node, found.role.step, sure=True, reason="width") if found else None


def _widths(scene: Scene, trial: Trial) -> Iterator[Trial]:
    before = [node for node in scene.nodes if node.order < trial.node.order and node.line != trial.node.line]
    named = [role for name in INTEGERS if (role := scene.role(name)) is not None and not role.value.ndim]
    sizes = {int(role.value): role if role.main else trial.role for role in reversed(named)}
    if trial.role.step == "concat":
        sizes |= {size: trial.role for size in trial.role.value.shape if size not in sizes}
    for node in [node for node in before if _may_be_width(node)][:MOST_WIDTHS]:
        for size, role in sizes.items():
            if size != int(node.views[0].stack.flat[0]):
                yield Trial(
                    node, role, tuple(Replacement(node.number, one.occurrence, (size,)) for one in node.entries)
                )


def _may_be_width(node: Node) -> bool:
    """A whole number that is neither a loop's nor handed on."""
    if node.state != "integer" or node.site.flags & LOOP or len(node.entries) > MOST_TIMES:
        return False
    return node.site.kind not in {PARAMETER, LOADED, ARGUMENT}


def _skipped(scene: Scene, trial: Trial) -> Named | None:
    """An earlier value that should have gone through a step which never shows before the place that was repaired."""
    before = [node for node in scene.nodes if node.order < trial.node.order]
    shown = {node.role for node in scene.nodes if node.order < trial.node.order and node.state in KNOWN}
    last = trial.role.rank + (is_end(trial) or trial.role.step == "scaled")
    missing = [role for role in scene.main() if role.name not in shown and role.rank < last]
    for almost in (True, False):
        for role in missing:
            found = [one for one in scene.trials.all(_skips(before, role, almost=almost)) if not hides(scene, one)]
            if found and (node := _last_without(scene, trial, found)) is not None:
                return Named(node, role.step, sure=_is_one(scene, node), reason="skipped")
    return None


def _is_one(scene: Scene, node: Node) -> bool:
    """Whether a place is where something was made: not the head of a loop, nor what a helper gives to several."""
    shared = any(one.number == node.number and one.path != node.path for one in scene.nodes)
    return node.site.name != "for" and not (shared and node.site.kind == RETURNED)


def _last_without(scene: Scene, trial: Trial, found: Sequence[Trial]) -> Node | None:
    """Where a step that was left out should have come: the last variable without it, or what is made of it later."""
    earlier = [one for one in found if one.node.line != trial.node.line]
    made = [
        one.node
        for one in found
        if one.node.line == trial.node.line
        and one.node.state == "legit"
        and one.node.site.kind in {CALL, BINARY, LISTED}
        if not _whole(one.node, trial.node)
        and one.node.number not in {node.path[-1] for node in scene.nodes if node.path}
    ]
    return (made[-1] if made else chosen(earlier).node) if earlier else None


def _whole(node: Node, other: Node) -> bool:
    """Whether two places are the same expression."""
    return node.site[4:8] == other.site[4:8]


def chosen(found: Sequence[Trial]) -> Trial:
    """Of several places that hold the same, the last variable set in the function that made it, or what it returns."""
    inside = [one for one in found if one.node.site.function == found[0].node.site.function]
    if len(inside) > 1 and inside[-1].node.site.kind == RETURNED and _whole(inside[-1].node, inside[-2].node):
        return inside[-1]
    return next((one for one in reversed(inside) if one.node.site.flags & ASSIGNED), inside[-1])


def factor(scene: Scene, named: Node) -> Named | None:
    """A number for the scale that was set wrongly on another line."""
    names = set(named.site.reads.split())
    roles = [role for name in ("one_over_sqrt_d", "sqrt_d") if (role := scene.role(name)) is not None]
    for node in scene.nodes:
        if node.order >= named.order or node.line == named.line or node.site.target not in names:
            continue
        array = node.value.array
        single = array is not None and array.size == 1 and node.value.kind == SCALAR
        whole = node.state == "integer" and any(word in node.site.target.lower() for word in FACTORS)
        if (
            single
            and (whole or node.state in {"foreign", "neutral"})
            and scene.trials.first(native(node, one) for one in roles)
        ):
            return Named(node, "scaled", sure=True, reason="factor")
    return None


def _start(scene: Scene, trial: Trial) -> Named | None:
    """A sum that does not start from zero."""
    site = trial.node.site
    name = site.target or (site.name if site.kind == PLACE else "")
    if not name or not (site.flags & GROWS or site.kind == PLACE):
        return None
    for node in scene.nodes:
        first = node.order < trial.node.order and node.line != site.line and node.site.target == name
        if first and node.value.array is not None and node.value.array.any():
            zero = np.zeros_like(node.value.array)
            if scene.trials.works([Replacement(node.number, one.occurrence, (zero,)) for one in node.entries]):
                return Named(node, trial.role.step, sure=True, reason="start")
    return None


def _of_part(scene: Scene, trial: Trial) -> Named | None:
    """The variable behind one part of what is returned."""
    if not is_end(trial):
        return None
    roles = [role for name in scene.returns if (role := scene.role(name)) is not None]
    for node in inputs_of(scene, trial.node):
        if node is None or node.line == trial.node.line or node.site.kind == PARAMETER:
            continue
        array = node.value.array
        if array is not None and array.size:
            there = {other.role for other in scene.nodes if other.state == "legit" and other is not node}
            wanted = [role for role in roles if node.site.kind == PLACE or role.name not in there]
            trials = [one for role in wanted for one in (*fitting(node, role, own=True), native(node, role))]
            found = scene.trials.first(trials)
            if found and not hides(scene, found):
                blamed = _could_hold(scene, node, found.role) and not cut_rows(scene, found) and sure(scene, node)
                return Named(node, found.role.step, sure=blamed, reason="part")
    return None


def _could_hold(scene: Scene, node: Node, role: Role) -> bool:
    """Whether a variable is of the kind that a step is: otherwise it holds another thing, and no wrong step."""
    array = node.value.array
    sites = scene.recording.sites
    waits = node.site.name in MAKERS and any(one.kind == PLACE and one.name == node.site.target for one in sites)
    if array is None or node.site.name == "for" or waits:
        return False
    return array.ndim > 0 and (array.dtype == bool) == (role.value.dtype == bool)


def _skips(before: Sequence[Node], role: Role, *, almost: bool) -> Iterator[Trial]:
    if role.name in {"minus_max", "masked"} or role.value.size == 1 or not role.value.ndim:
        return
    for node in before:
        if (
            node.state not in {"legit", "turned"}
            or node.match is None
            or node.site.kind in {ARGUMENT, PARAMETER, LOADED}
        ):
            continue
        old = node.match.role
        near = role.step == old.step and old.name.endswith(ALMOST)
        later = role.rank > old.rank or (not old.main and role.step == old.step)
        if near == almost and later and old.value.size > 1:
            if node.state == "turned":
                yield from [likewise(node, role)] if role.value.shape == old.value.shape else ()
                continue
            same = list(fitting(node, role, own=True))
            yield from same or [native(node, role)]
            if not same and role.name in {"scores", "scaled"} and role.value.ndim == 2 and len(node.entries) == 1:  # noqa: PLR2004
                yield native(node, replace(role, value=role.value.T))


def inverted(scene: Scene, trial: Trial) -> bool:
    """Whether a number for the scale, set on another line, may as well be the wrong one."""
    scalars = [role for name in ("sqrt_d", "one_over_sqrt_d") if (role := scene.role(name)) is not None]
    for node in scene.nodes:
        if node.order >= trial.node.order or node.line == trial.node.line:
            continue
        if node.state == "legit" and node.role in {role.name for role in scalars} and node.site.flags & ASSIGNED:
            others = [native(node, role) for role in scalars if role.name != node.role]
            if scene.trials.first(others):
                return True
    return False
