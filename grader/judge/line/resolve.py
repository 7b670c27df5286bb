"""From the place whose repair makes the result right to the line that is to be named."""

import builtins
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from grader.judge.line.nodes import MAKERS, Node
from grader.judge.line.roles import FAMILIES, WEIGHTS, Role
from grader.judge.line.search import Scene, departed, ends, hides, raised, supposed
from grader.judge.line.trials import Trial, fitting, likewise, native
from grader.sandbox.inside.rewrite import (
    ARGUMENT,
    ASSIGNED,
    CALL,
    DEAD,
    GROWS,
    LOADED,
    LOOP,
    PARAMETER,
    PLACE,
    RETURNED,
)
from grader.sandbox.recorded import NONE, SCALAR, TUPLE, Replacement, Value

KNOWN = frozenset({"legit", "turned", "shifted", "repeated"})
MOST_TIMES = 4
MOST_WIDTHS = 8
INTEGERS = ("d_k", "d_head", "n_heads")
ALMOST = ("_scaled", "_fourth", "_rows", "blocks")
FACTORS = ("scale", "temp", "root", "sqrt", "factor", "norm", "denom")
NEEDS = {"scores": {"q", "k"}, "scaled": {"q", "k"}, "output": {"weights", "v"}, "heads": {"weights", "v"}}
CHANGES = frozenset({"fill_diagonal", "copyto", "put", "putmask", "place", "put_along_axis", "append", "extend"})


class Named(NamedTuple):
    """A place that is to be named, the step it was meant to be, and how sure that is."""

    node: Node
    step: str
    sure: bool
    reason: str


def resolved(scene: Scene) -> Named | None:
    """The place where the function went wrong."""
    trial = departed(scene)
    if trial is not None and not _is_end(trial):
        return _upstream(scene, trial) or Named(
            trial.node,
            trial.role.step,
            sure=sure(scene, trial.node) and not _inverted(scene, trial),
            reason="repaired",
        )
    named = _omitted(scene) or _mixed_up(scene, None)
    if named is not None:
        return named
    trial = trial or scene.trials.first(ends(scene))
    if trial is None:
        return None
    return _upstream(scene, trial) or Named(
        trial.node, trial.role.step, sure=sure(scene, trial.node), reason="returned"
    )


def _is_end(trial: Trial) -> bool:
    """Whether only what is returned in the end was repaired: that says nothing yet."""
    site = trial.node.site
    return site.kind == RETURNED and not trial.node.path


def _omitted(scene: Scene) -> Named | None:
    """A step that was left out: the mask, the scale, the output projection, the exponential."""
    for state, steps in (
        ("unmasked", (("scaled", "masked"), ("scores", "masked_raw"))),
        ("unscaled", (("scores", "scaled"),)),
    ):
        trial = supposed(scene, state)
        if trial is None:
            continue
        dead = _thrown_away(scene)
        if dead is not None:
            return Named(dead, dead.match.role.step if dead.match else steps[0][1], sure=True, reason="dead")
        for low, high in steps:
            found = raised(scene, low, high, before=trial.node.order)
            if found:
                node = _chosen(found).node if state == "unscaled" else found[-1].node
                factor = _factor(scene, node) if state == "unscaled" else None
                return factor or Named(node, high.removesuffix("_raw"), sure=sure(scene, node), reason="omitted")
        return Named(trial.node, steps[0][1], sure=sure(scene, trial.node), reason="omitted-here")
    for low, high in _pairs(scene):
        found = raised(scene, low, high)
        if found:
            node = found[0].node
            return Named(node, found[0].role.step, sure=sure(scene, node), reason="omitted")
    return None


def _pairs(scene: Scene) -> Iterator[tuple[str, str]]:
    names = [role.name for role in scene.main()]
    yield from (pair for pair in pairwise(names) if pair[1] != "minus_max")


def _thrown_away(scene: Scene) -> Node | None:
    """A step that was computed and not kept."""
    for node in scene.nodes:
        used = node.site.name in CHANGES
        if node.site.flags & DEAD and not used and node.state == "legit" and node.match and node.match.role.main:
            return node
    return None


def _upstream(scene: Scene, trial: Trial) -> Named | None:
    """An earlier place that explains the one repaired: a width read wrongly, a role mixed up, a step left out."""
    return (
        _width(scene, trial)
        or _factor(scene, trial.node)
        or _start(scene, trial)
        or _turned(scene, trial)
        or _mixed_up(scene, trial)
        or _handed(scene, trial)
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
        if node.match and (node.state == "turned" or _is_flat(node))
        if node.order < trial.node.order and node.line != trial.node.line and node.site.kind != PARAMETER
    ]
    found = scene.trials.first(earlier)
    return Named(found.node, found.role.step, sure=True, reason="turned") if found else None


def _is_flat(node: Node) -> bool:
    """Whether an axis of one is missing: a sum that did not keep its axis."""
    if node.match is None or node.state != "legit" or len(node.entries) > 1:
        return False
    return 1 in node.match.role.value.shape and node.views[0].shape != node.match.role.value.shape


def _mixed_up(scene: Scene, trial: Trial | None) -> Named | None:
    """Queries, keys and values in each other's places."""
    for names in (*WEIGHTS, *FAMILIES):
        roles = {role.name: role for name in names if (role := scene.role(name)) is not None}
        holders = [
            node
            for node in scene.nodes
            if node.role in roles
            and node.state in {"legit", "turned"}
            and node.site.kind not in {RETURNED, PLACE, PARAMETER}
            and (trial is None or node.order < trial.node.order)
        ]
        if len(roles) < 2 or not holders:  # noqa: PLR2004
            continue
        missing = set(roles) - {node.role for node in holders}
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
    last = trial.role.rank + _is_end(trial)
    missing = [role for role in scene.main() if role.name not in shown and role.rank < last]
    for almost in (True, False):
        for role in missing:
            found = [one for one in scene.trials.all(_skips(before, role, almost=almost)) if not hides(scene, one)]
            if found:
                return Named(_chosen(found).node, role.step, sure=True, reason="skipped")
    return None


def _chosen(found: Sequence[Trial]) -> Trial:
    """Of several places that hold the same, the last variable set in the function that made it."""
    inside = [one for one in found if one.node.site.function == found[0].node.site.function]
    return next((one for one in reversed(inside) if one.node.site.flags & ASSIGNED), inside[-1])


def _factor(scene: Scene, named: Node) -> Named | None:
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
    if not _is_end(trial):
        return None
    roles = [role for name in scene.returns if (role := scene.role(name)) is not None]
    for node in _inputs(scene, trial.node):
        if node is not None and node.line != trial.node.line and node.site.kind != PARAMETER:
            trials = [one for role in roles for one in (*fitting(node, role, own=True), native(node, role))]
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
    """The call that handed the wrong thing to a helper: all it was given is known, but what it needs is not there."""
    inputs = [node for node in _inputs(scene, trial.node) if node is not None]
    wanted = NEEDS.get(trial.role.name)
    if not wanted or not inputs or any(node.state not in KNOWN for node in inputs):
        return None
    there = {_plain(node.role) for node in inputs}
    if len(inputs) == 1 and inputs[0].site.kind != PARAMETER and trial.node.site.name == "sum":
        return None if wanted <= there else Named(inputs[0], trial.role.step, sure=True, reason="handed")
    if any(node.site.kind != PARAMETER for node in inputs) or not there & {"q", "k", "v"}:
        return None
    if wanted <= there or not any(node.site.kind == PARAMETER for node in inputs):
        return None
    function = trial.node.site.function
    if not function:
        return None
    taken = [node for node in scene.nodes if node.site.kind == PARAMETER and node.site.function == function]
    given = {_plain(node.role) for node in taken}
    if wanted <= there | given:
        return None
    name = scene.recording.functions[function]
    call = next((node for node in scene.nodes if node.site.kind == CALL and node.site.name == name), None)
    return None if call is None else Named(call, trial.role.step, sure=True, reason="handed")


def _plain(role: str) -> str:
    """The step behind a role's name."""
    for ending in ("_scaled", "_fourth", "_heads"):
        role = role.removesuffix(ending)
    return role


def _inverted(scene: Scene, trial: Trial) -> bool:
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


def sure(scene: Scene, named: Node) -> bool:
    """Whether a place can be blamed: what goes into it is known to be right, or nothing before it is unknown."""
    known = [_known(node) for node in _inputs(scene, named)]
    if None not in known and all(known):
        return True
    return False not in known and _unexplained(scene, named) is None


def _inputs(scene: Scene, named: Node) -> Iterator[Node | None]:
    """For every name that a place reads, where it was set last."""
    call, first = named.entries[0].call, named.entries[0].order
    for name in named.site.reads.split():
        if name in scene.recording.functions or hasattr(builtins, name):
            continue
        setters = [
            node
            for node in scene.nodes
            if node.site.target == name or (node.site.kind == PLACE and node.site.name == name)
            if any(
                (entry.call in {call, 0} or name.startswith("self.")) and entry.order < first for entry in node.entries
            )
        ]
        inside = [node for node in scene.nodes if node.site.kind == LOADED and node.site.target == name]
        inside = [node for node in inside if named.order - 50 < node.order < named.entries[-1].order]
        yield setters[-1] if setters else inside[0] if inside else None


def _known(node: Node | None) -> bool | None:
    """Whether a value is known to be right; `False` if it may well be wrong, nothing if that cannot be told."""
    if node is None:
        return None
    if node.state in KNOWN or node.state == "integer" or node.site.name in MAKERS:
        return True
    if node.state == "foreign" and node.value.kind == SCALAR and len(node.entries) == 1:
        return False
    array = node.value.array
    if node.state == "neutral":
        if node.value.kind == TUPLE:
            return all(isinstance(part, Value) and part.kind == SCALAR for part in node.value.parts)
        if array is not None and array.ndim and array.dtype.kind in "iu":
            return bool(np.array_equal(array.ravel(), np.arange(array.size)))
        return True if node.value.kind in {NONE, SCALAR} or node.views else None
    return None


def _unexplained(scene: Scene, named: Node) -> Node | None:
    """A value on an earlier line that the reference does not know and that nothing accounts for."""
    for node in scene.nodes:
        if node.order >= named.order:
            return None
        if node.state == "foreign" and node.line != named.line and node.value.kind != SCALAR:
            return node
    return None


def text_of(source: str, node: Node) -> str:
    """The expression at a place, as it stands in the file; its first line if it has several."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    site = node.site
    if not 0 < site.line <= len(lines):
        return ""
    data = lines[site.line - 1].encode("utf-8", "replace")
    end = site.end_column if site.end_line == site.line else len(data)
    return data[site.column : end].decode("utf-8", "replace").strip()
