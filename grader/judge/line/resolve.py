"""From the place whose repair makes the result right to the line that is to be named."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from grader.judge.line.nodes import Node
from grader.judge.line.roles import FAMILIES, Role
from grader.judge.line.search import Scene, departed, ends, raised, supposed
from grader.judge.line.trials import Trial, native
from grader.sandbox.inside.rewrite import ARGUMENT, ASSIGNED, DEAD, LOOP, PLACE, RETURNED
from grader.sandbox.recorded import SCALAR, Replacement

MOST_TIMES = 4
INTEGERS = ("d_k", "d_head", "n_heads")
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
            trial.node, trial.role.step, sure=_unexplained(scene, trial.node) is None, reason="repaired"
        )
    named = _omitted(scene) or _mixed_up(scene, None)
    if named is not None:
        return named
    trial = trial or scene.trials.first(ends(scene))
    if trial is None:
        return None
    return _upstream(scene, trial) or Named(
        trial.node, trial.role.step, sure=_unexplained(scene, trial.node) is None, reason="returned"
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
                node = found[-1].node
                return Named(node, found[-1].role.step, sure=_unexplained(scene, node) is None, reason="omitted")
        return Named(trial.node, steps[0][1], sure=_unexplained(scene, trial.node) is None, reason="omitted-here")
    for low, high in _pairs(scene):
        found = raised(scene, low, high)
        if found:
            node = found[0].node
            return Named(node, found[0].role.step, sure=_unexplained(scene, node) is None, reason="omitted")
    return None


def _pairs(scene: Scene) -> Iterator[tuple[str, str]]:
    names = [role.name for role in scene.main()]
    yield from pairwise(names)


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
        _width(scene, trial) or _turned(scene, trial) or _mixed_up(scene, trial) or _without_exponential(scene, trial)
    )


def _width(scene: Scene, trial: Trial) -> Named | None:
    """A whole number read from the wrong place, on an earlier line."""
    if trial.role.step not in {"scaled", "masked", "minus_max", "exp", "weights", "output", "q_heads", "heads"}:
        return None
    for node in scene.nodes:
        if node.order >= trial.node.order:
            return None
        if (
            node.state != "integer"
            or node.site.flags & LOOP
            or len(node.entries) > MOST_TIMES
            or node.line == trial.node.line
        ):
            continue
        if not node.site.flags & ASSIGNED and node.site.parent >= 0:
            continue
        for name in INTEGERS:
            role = scene.role(name)
            if role is None or role.value.ndim or int(role.value) == int(node.views[0].stack.flat[0]):
                continue
            values = (int(role.value),)
            if scene.trials.works([Replacement(node.number, one.occurrence, values) for one in node.entries]):
                return Named(node, role.step if role.main else trial.role.step, sure=True, reason="width")
    return None


def _turned(scene: Scene, trial: Trial) -> Named | None:
    """An earlier step whose axes lie otherwise."""
    earlier = [
        native(node, node.match.role)
        for node in scene.nodes
        if node.state == "turned" and node.match and node.order < trial.node.order and node.line != trial.node.line
    ]
    found = scene.trials.first(earlier)
    return Named(found.node, found.role.step, sure=True, reason="turned") if found else None


def _mixed_up(scene: Scene, trial: Trial | None) -> Named | None:
    """Queries, keys and values in each other's places."""
    for names in FAMILIES:
        roles = {role.name: role for name in names if (role := scene.role(name)) is not None and role.main}
        holders = [
            node
            for node in scene.nodes
            if node.role in roles
            and node.state == "legit"
            and node.site.kind not in {RETURNED, PLACE}
            and (trial is None or node.order < trial.node.order)
        ]
        if len(roles) < 2 or not holders:  # noqa: PLR2004
            continue
        missing = set(roles) - {node.role for node in holders}
        if trial is not None and not missing:
            found = scene.trials.first(_swaps(holders, roles))
        else:
            trials = [native(node, roles[name]) for node in holders for name in roles if name != node.role]
            found = scene.trials.first(trials) or scene.trials.first(_swaps(holders, roles))
        if found:
            return Named(found.node, found.role.step, sure=True, reason="mixed-up")
    return None


def _swaps(holders: Sequence[Node], roles: dict[str, Role]) -> Iterator[Trial]:
    """Two places that each hold what the other should."""
    plain = [node for node in holders if node.site.kind != ARGUMENT][:6] + [
        node for node in holders if node.site.kind == ARGUMENT
    ][:6]
    for place, first in enumerate(plain):
        for second in plain[place + 1 :]:
            if first.role != second.role and (first.site.kind == ARGUMENT) == (second.site.kind == ARGUMENT):
                one, other = native(first, roles[second.role]), native(second, roles[first.role])
                yield Trial(first, one.role, (*one.repair, *other.repair))


def _without_exponential(scene: Scene, trial: Trial) -> Named | None:
    """Shares of what was never put through the exponential."""
    if trial.role.name != "weights" or any(node.site.name in {"exp", "exp2"} for node in scene.nodes):
        return None
    found = raised(scene, "minus_max", "exp", before=trial.node.order)
    if not found or found[-1].node.line == trial.node.line:
        return None
    return Named(found[-1].node, "exp", sure=True, reason="omitted")


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
