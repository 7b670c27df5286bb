"""The wrong thing went in: handed to a helper, or set on an earlier line."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from grader.judge.line.meant import MEANT, means
from grader.judge.line.named import Named
from grader.judge.line.nodes import Node
from grader.judge.line.roles import Role, plain
from grader.judge.line.search import Scene
from grader.judge.line.surety import KNOWN, inputs_of
from grader.judge.line.trials import Trial, fitting, native
from grader.sandbox.inside.rewrite import ARGUMENT, CALL, LOADED, PARAMETER, TARGET

GIVEN = frozenset({PARAMETER, LOADED})
MOST_HANDED = 6
INSIDE = frozenset({"minus_max", "exp", "sum"})
MOST_TIMES = 16
BEFORE = {"scaled": frozenset({"scores"})}


def handed(scene: Scene, trial: Trial) -> Named | None:
    """The call that handed the wrong thing to a helper: what it was given is known, but what it needs is not there."""
    read = list(inputs_of(scene, trial.node))
    inputs = [node for node in read if node is not None and node.state != "integer"]
    wanted = scene.needs.get(trial.role.name)
    if None in read:
        return None  # a variable from outside may be what is needed
    if wanted and {plain(node.role) for node in inputs} & {"wq", "wk", "wv"}:
        wanted = scene.needs.get(plain(trial.role.name), wanted)  # a head's own columns, projected alone
    if not wanted or not inputs or any(node.state not in KNOWN for node in inputs):
        return None
    there = {plain(node.role) for node in inputs}
    if (
        len(inputs) == 1
        and inputs[0].site.kind not in {TARGET, *GIVEN}
        and trial.node.site.name == "sum"
        and len(wanted) > 1
    ):
        return None if wanted <= there else Named(inputs[0], trial.role.step, sure=True, reason="ingredient")
    kinds = {"q", "k", "v"} | {plain(role.name) for role in scene.roles if role.given}
    wrong = [node for node in inputs if node.site.kind in GIVEN and plain(node.role) in kinds - wanted]
    same = all(node.site.kind in GIVEN for node in inputs) and bool(there & kinds)
    raw = any(node.match is not None and node.match.role.given for node in wrong)
    raw = raw and not wanted & INSIDE
    return _call_of(scene, trial, wanted - there, raw=raw) if wanted - there and (wrong or same) else None


def _call_of(scene: Scene, trial: Trial, missing: frozenset[str], *, raw: bool) -> Named | None:
    """Where the helper was called without what it needs, although there is such a thing there."""
    function = trial.node.site.function
    inside = [node for node in scene.nodes if node.site.function == function and node.site.kind in GIVEN]
    known = {plain(node.role) for node in scene.nodes if node.site.function == function and node.state in KNOWN}
    outside = {plain(node.role) for node in scene.nodes if node.site.function != function and node.state in KNOWN}
    if missing <= known or missing & {plain(node.role) for node in inside}:
        return None
    if not function or not (raw or missing <= outside):
        return None
    name, path = scene.recording.functions[function], trial.node.path
    calls = [node for node in scene.nodes if node.site.kind == CALL and (node.number in path[-1:] or not path)]
    call = next((node for node in calls if path or node.site.name == name), None)
    return None if call is None else Named(call, trial.role.step, sure=True, reason="handed")


def ingredient(scene: Scene, trial: Trial) -> Named | None:
    """An earlier variable, read at the place repaired, that holds what no step on the way there is.

    Or another input than the one that is needed: X where the mask should be.
    """
    wanted = _wanted(scene, trial.role)
    above = _above(scene, wanted)
    inputs = [node for node in inputs_of(scene, trial.node) if node is not None]
    there = {plain(node.role) for node in inputs}
    for node in inputs:
        kin = {plain(node.role), node.match.role.step if _many(node) else ""} if node.match else set()
        if node.line == trial.node.line or not _holds(node):
            continue
        if node.role == trial.role.name and trial.role.main:
            continue  # it is already what is to come of it: it is spoilt here
        twice = trial.role.step == "scaled" and any(one is not node and one.role == node.role for one in inputs)
        if (kin & wanted or wanted <= there) and not twice:
            continue
        names = {role.name for role in scene.roles if role.given and role.name in wanted - there}
        names |= above if kin and not kin & above else frozenset()
        if twice:
            names |= {"sqrt_d", "one_over_sqrt_d"}
        roles = [role for role in reversed(scene.roles) if not role.supposed and plain(role.name) in names]
        found = scene.trials.first(_offers(node, roles))
        if found:
            return ingredient(scene, found) or caused(scene, node, found.role.step)
    return None


def complete(scene: Scene, trial: Trial) -> bool:
    """Whether all that a step is made of goes in, and nothing else: what comes out is wrong, so it is wrong here.

    Not said where more matters than what goes in: which of queries and keys stands first, in which order axes lie.
    """
    there: set[str] = set()
    if trial.role.step in {"heads", "concat", "q_heads", "k_heads", "v_heads", "mask"}:
        return False
    for node in inputs_of(scene, trial.node):
        if node is None or node.state not in {"legit", "repeated", "integer"}:
            return False
        if node.match is not None and node.match.role.value.ndim:
            if node.state == "legit" and len(node.entries) == 1 and node.views[0].shape != node.match.role.value.shape:
                return False
            there.add(plain(node.role))
    made_of = (_wanted(scene, trial.role), BEFORE.get(trial.role.name))
    return bool(there) and not {"q", "k"} <= there and frozenset(there) in made_of


def _wanted(scene: Scene, role: Role) -> frozenset[str]:
    """What a step is made of; a mask where there is one."""
    wanted = scene.needs.get(plain(role.name), frozenset())
    if role.step == "mask" and role.name != "mask" and scene.role("mask") is not None:
        return frozenset({"mask"})
    return wanted | {"mask"} if role.step == "masked" and scene.role("mask") is not None else wanted


def _above(scene: Scene, names: frozenset[str]) -> frozenset[str]:
    """All that these steps come from, and they themselves."""
    found: set[str] = set()
    waiting = set(names)
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= scene.needs.get(name, frozenset()) - found
    return frozenset(found)


def _holds(node: Node) -> bool:
    """Whether a variable holds something that can be told."""
    array = node.value.array
    if array is None or (not array.ndim and not node.role and node.site.kind not in GIVEN):
        return False
    return node.state in KNOWN or array.dtype.kind in "iu"


def _many(node: Node) -> bool:
    """Whether a role is one of many numbers, which a single number cannot stand for."""
    return node.match is not None and node.match.role.value.ndim > 0


def _offers(node: Node, roles: list[Role]) -> Iterator[Trial]:
    for role in roles:
        if not role.value.ndim:
            yield native(node, role)
        else:
            yield from fitting(node, role, own=True)
            if len(node.entries) <= MOST_TIMES:
                yield native(node, role)
                yield from _beside(node, role)


def _beside(node: Node, role: Role) -> Iterator[Trial]:
    """A row of numbers as the column that is there."""
    array = np.asarray(node.value.array)
    if role.value.ndim == 1 and array.ndim == 2 and 1 in array.shape:  # noqa: PLR2004
        shape = (1, -1) if array.shape[0] == 1 else (-1, 1)
        yield native(node, replace(role, value=role.value.reshape(shape)))


def caused(scene: Scene, node: Node, step: str) -> Named | None:
    """A variable that holds the wrong thing, named where it got it: for a parameter the call."""
    for _ in range(MOST_HANDED):
        before = _same_before(scene, node)
        if before is not None:
            node = before
        elif node.site.kind not in GIVEN or (node.site.kind == LOADED and not _is_parameter(scene, node)):
            break
        elif not node.path:
            call = _call_named(scene, node)
            return None if call is None else Named(call, step, sure=True, reason="ingredient")
        else:
            handed = _handed_as(scene, node)
            if handed is None:
                call = next((one for one in scene.nodes if one.number == node.path[-1]), None)
                return None if call is None else Named(call, step, sure=True, reason="ingredient")
            node = _same_before(scene, handed) or handed
            if node is handed:
                break
    return Named(node, step, sure=told(scene, node), reason="ingredient")


def _same_before(scene: Scene, node: Node) -> Node | None:
    """Where the same was held before under a name that is not its own."""
    if plain(node.role) not in MEANT:
        return None
    inputs = [one for one in inputs_of(scene, node) if one is not None and one is not node]
    same = [one for one in inputs if one.role and plain(one.role) == plain(node.role) and one.order < node.order]
    return next((one for one in same if not means(one) and (one.site.kind not in GIVEN or one.path)), None)


def _is_parameter(scene: Scene, node: Node) -> bool:
    return not node.site.reads and any(each == "<lambda>" for each in [scene.recording.functions[node.site.function]])


def told(scene: Scene, node: Node) -> bool:
    """Whether all that a place reads is known, so that it can be blamed for holding the wrong one."""
    inputs = [one for one in inputs_of(scene, node) if one is not None and one.line != node.line]
    return all(one.state not in {"foreign", "neutral"} or one.value.array is None for one in inputs)


def _call_named(scene: Scene, node: Node) -> Node | None:
    """The call of the function that a parameter is of, where that is a helper whose calls are not followed."""
    function, calls = node.site.function, scene.recording.calls
    if len(calls) > 1 and function == calls[1].function:
        return None
    name = scene.recording.functions[function]
    return next((one for one in scene.nodes if one.site.kind == CALL and one.site.name == name), None)


def _handed_as(scene: Scene, node: Node) -> Node | None:
    """The variable that was handed over as a parameter."""
    call, path = node.path[-1], node.path[:-1]
    return next(
        (
            one
            for one in scene.nodes
            if one.site.kind == ARGUMENT and one.site.parent == call and one.role == node.role and one.path == path
        ),
        None,
    )


def this_call(scene: Scene, node: Node, step: str) -> Named | None:
    """The call, if the helper that was called did well whenever it was called from elsewhere."""
    others = [one for one in scene.nodes if one.number == node.number and one.path != node.path]
    well = [one for one in others if one.state in {"legit", "repeated"}]
    if not node.path or not well or any(one.order < node.order for one in others if one not in well):
        return None
    call = next((one for one in scene.nodes if one.number == node.path[-1]), None)
    return None if call is None else Named(call, step, sure=True, reason="this-call")
