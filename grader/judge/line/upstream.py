"""An earlier place that explains the one repaired.

The first repair that makes a result right shows where it went wrong, or where something wrong came in. What came in may
be a width read from the wrong axis, a sum that did not start from zero, queries and keys in each other's places, the
wrong thing handed to a helper, a step left out.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from grader.judge.line.nodes import Node
from grader.judge.line.roles import FAMILIES, WEIGHTS, Role, plain
from grader.judge.line.search import Scene, goes_on, hides
from grader.judge.line.surety import KNOWN, inputs_of, sure
from grader.judge.line.trials import Trial, fitting, likewise, native
from grader.sandbox.inside.rewrite import (
    ARGUMENT,
    ASSIGNED,
    CALL,
    GROWS,
    LOADED,
    LOOP,
    PARAMETER,
    PLACE,
    RETURNED,
)
from grader.sandbox.recorded import SCALAR, Replacement

GIVEN = frozenset({PARAMETER, LOADED})
MOST_TIMES = 4
MOST_WIDTHS = 8
INTEGERS = ("d_k", "d_head", "n_heads")
ALMOST = ("_scaled", "_fourth", "_rows", "blocks")
FACTORS = ("scale", "temp", "root", "sqrt", "factor", "norm", "denom")


class Named(NamedTuple):
    """A place that is to be named, the step it was meant to be, and how sure that is."""

    node: Node
    step: str
    sure: bool
    reason: str


def is_end(trial: Trial) -> bool:
    """Whether only what is returned in the end was repaired: that says nothing yet."""
    site = trial.node.site
    return site.kind == RETURNED and not trial.node.path


def upstream(scene: Scene, trial: Trial) -> Named | None:
    """An earlier place that explains the one repaired: a width read wrongly, a role mixed up, a step left out."""
    return (
        _width(scene, trial)
        or factor(scene, trial.node)
        or _start(scene, trial)
        or _turned(scene, trial)
        or _handed(scene, trial)
        or mixed_up(scene, trial)
        or _skipped(scene, trial)
        or _of_part(scene, trial)
    )


def _width(scene: Scene, trial: Trial) -> Named | None:
    """A whole number read from the wrong place, on an earlier line."""
    if trial.role.step not in {"scaled", "masked", "minus_max", "exp", "weights", "output", "q_heads", "heads"}:
        return None
    before = [node for node in scene.nodes if node.order < trial.node.order and node.line != trial.node.line]
    for node in [node for node in before if _may_be_width(node)][:MOST_WIDTHS]:
        for role in (role for name in INTEGERS if (role := scene.role(name)) is not None and not role.value.ndim):
            if int(role.value) == int(node.views[0].stack.flat[0]):
                continue
            values = (int(role.value),)
            if scene.trials.works([Replacement(node.number, one.occurrence, values) for one in node.entries]):
                return Named(node, role.step if role.main else trial.role.step, sure=True, reason="width")
    return None


def _may_be_width(node: Node) -> bool:
    """A whole number that is neither a loop's nor handed on."""
    if node.state != "integer" or node.site.flags & LOOP or len(node.entries) > MOST_TIMES:
        return False
    return node.site.kind not in {PARAMETER, LOADED, ARGUMENT}


def _turned(scene: Scene, trial: Trial) -> Named | None:
    """An earlier step whose axes lie otherwise."""
    earlier = [
        native(node, node.match.role)
        for node in scene.nodes
        if node.match and ((node.state == "turned" and not goes_on(scene, node)) or _is_flat(node))
        if node.order < trial.node.order and node.line != trial.node.line and node.site.kind != PARAMETER
    ]
    found = scene.trials.first(earlier)
    return Named(found.node, found.role.step, sure=True, reason="turned") if found else None


def _is_flat(node: Node) -> bool:
    """Whether an axis of one is missing or too much: a sum that did not keep its axis."""
    if node.match is None or node.state != "legit" or len(node.entries) > 1:
        return False
    return node.views[0].shape != node.match.role.value.shape


def mixed_up(scene: Scene, trial: Trial | None) -> Named | None:
    """Queries, keys and values in each other's places."""
    for names in (*WEIGHTS, *FAMILIES):
        roles = {role.name: role for name in names if (role := scene.role(name)) is not None}
        holders = [
            node
            for node in scene.nodes
            if node.role in roles
            and node.state in {"legit", "turned", "repeated"}
            and node.site.kind not in {RETURNED, PLACE, PARAMETER}
            and (trial is None or node.order < trial.node.order)
        ]
        if len(roles) < 2 or not holders:  # noqa: PLR2004
            continue
        plainly = [node for node in holders if node.site.kind != ARGUMENT]
        missing = set(roles) - {node.role for node in plainly or holders}
        if trial is not None and not missing:
            found = scene.trials.first(_swaps(holders, roles))
        else:
            trials = [likewise(node, roles[name]) for node in holders for name in roles if name != node.role]
            found = scene.trials.first(trials) or scene.trials.first(_swaps(holders, roles))
        if found:
            return Named(_needed(scene, found), found.role.step, sure=True, reason="mixed-up")
    return None


def _needed(scene: Scene, trial: Trial) -> Node:
    """Of two places swapped, the one that is enough by itself; else the first."""
    by_site: dict[int, list[Replacement]] = {}
    for one in trial.repair:
        by_site.setdefault(one.site, []).append(one)
    if len(by_site) > 1:
        for site, repair in by_site.items():
            if scene.trials.works(repair):
                return next(node for node in scene.nodes if node.number == site)
    return trial.node


def _swaps(holders: Sequence[Node], roles: dict[str, Role]) -> Iterator[Trial]:
    """Two places that each hold what the other should."""
    plain = [node for node in holders if node.site.kind != ARGUMENT][:6] + [
        node for node in holders if node.site.kind == ARGUMENT
    ][:6]
    for place, first in enumerate(plain):
        for second in plain[place + 1 :]:
            if first.role != second.role and (first.site.kind == ARGUMENT) == (second.site.kind == ARGUMENT):
                one, other = likewise(first, roles[second.role]), likewise(second, roles[first.role])
                yield Trial(first, one.role, (*one.repair, *other.repair))


def _skipped(scene: Scene, trial: Trial) -> Named | None:
    """An earlier value that should have gone through a step which never shows before the place that was repaired."""
    before = [node for node in scene.nodes if node.order < trial.node.order and node.line != trial.node.line]
    shown = {node.role for node in scene.nodes if node.order < trial.node.order and node.state in KNOWN}
    last = trial.role.rank + is_end(trial)
    missing = [role for role in scene.main() if role.name not in shown and role.rank < last]
    for almost in (True, False):
        for role in missing:
            found = [one for one in scene.trials.all(_skips(before, role, almost=almost)) if not hides(scene, one)]
            if found:
                return Named(chosen(found).node, role.step, sure=True, reason="skipped")
    return None


def chosen(found: Sequence[Trial]) -> Trial:
    """Of several places that hold the same, the last variable set in the function that made it."""
    inside = [one for one in found if one.node.site.function == found[0].node.site.function]
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
                return Named(node, found.role.step, sure=sure(scene, node), reason="part")
    return None


def _skips(before: Sequence[Node], role: Role, *, almost: bool) -> Iterator[Trial]:
    if role.name in {"minus_max", "masked"} or role.value.size == 1 or not role.value.ndim:
        return
    for node in before:
        if node.state != "legit" or node.match is None or node.site.kind in {ARGUMENT, PARAMETER, LOADED}:
            continue
        old = node.match.role
        near = role.step == old.step and old.name.endswith(ALMOST)
        later = role.rank > old.rank or (not old.main and role.step == old.step)
        if near == almost and later and old.value.size > 1:
            same = list(fitting(node, role, own=True))
            yield from same or [native(node, role)]


def _handed(scene: Scene, trial: Trial) -> Named | None:
    """The call that handed the wrong thing to a helper: what it was given is known, but what it needs is not there."""
    inputs = [node for node in inputs_of(scene, trial.node) if node is not None and node.state != "integer"]
    wanted = scene.needs.get(trial.role.name)
    if not wanted or not inputs or any(node.state not in KNOWN for node in inputs):
        return None
    there = {plain(node.role) for node in inputs}
    if len(inputs) == 1 and inputs[0].site.kind != PARAMETER and trial.node.site.name == "sum" and len(wanted) > 1:
        return None if wanted <= there else Named(inputs[0], trial.role.step, sure=True, reason="handed")
    kinds = {"q", "k", "v"} | {plain(role.name) for role in scene.roles if role.given}
    wrong = [node for node in inputs if node.site.kind in GIVEN and plain(node.role) in kinds - wanted]
    same = all(node.site.kind in GIVEN for node in inputs) and bool(there & kinds)
    raw = any(node.match is not None and node.match.role.given for node in wrong)
    return _call_of(scene, trial, wanted - there, raw=raw) if wanted - there and (wrong or same) else None


def _call_of(scene: Scene, trial: Trial, missing: frozenset[str], *, raw: bool) -> Named | None:
    """Where the helper was called without what it needs, although there is such a thing there."""
    function = trial.node.site.function
    inside = [node for node in scene.nodes if node.site.function == function and node.site.kind in GIVEN]
    outside = {plain(node.role) for node in scene.nodes if node.site.function != function and node.state in KNOWN}
    if not function or missing & {plain(node.role) for node in inside} or not (raw or missing <= outside):
        return None
    name, path = scene.recording.functions[function], trial.node.path
    calls = [node for node in scene.nodes if node.site.kind == CALL and (node.number in path[-1:] or not path)]
    call = next((node for node in calls if path or node.site.name == name), None)
    return None if call is None else Named(call, trial.role.step, sure=True, reason="handed")


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
