"""Queries, keys and values in each other's places."""

from collections.abc import Iterator, Mapping, Sequence

from grader.judge.line.handed import caused, ingredient, this_call
from grader.judge.line.meant import means
from grader.judge.line.named import Named
from grader.judge.line.nodes import Node
from grader.judge.line.roles import FAMILIES, WEIGHTS, Role, plain
from grader.judge.line.search import Scene
from grader.judge.line.trials import Trial, likewise
from grader.sandbox.inside.rewrite import ARGUMENT, PARAMETER, PLACE, RETURNED, SUBSCRIPT
from grader.sandbox.recorded import Replacement


def mixed_up(scene: Scene, trial: Trial | None) -> Named | None:
    """Queries, keys and values in each other's places."""
    meant = {plain(node.role): node.order for node in scene.nodes if means(node)}
    for names in (*WEIGHTS, *FAMILIES):
        if trial is not None and {"q", "k"} <= meant.keys() and names in WEIGHTS:
            continue
        roles = {role.name: role for name in names if (role := scene.role(name)) is not None}
        holders = [
            node
            for node in scene.nodes
            if node.role in roles
            and node.state in {"legit", "turned", "repeated"}
            and node.site.kind not in {RETURNED, PLACE, PARAMETER}
            and (trial is None or node.order < trial.node.order)
            and not _handed_well(scene, node)
        ]
        if len(roles) < 2 or not holders:  # noqa: PLR2004
            continue
        plainly = [node for node in holders if node.site.kind != ARGUMENT]
        missing = set(roles) - {node.role for node in plainly or holders}
        if trial is not None and not missing:
            found = scene.trials.first(_swaps(holders, roles, meant))
        else:
            trials = [likewise(node, roles[name]) for node in holders for name in roles if name != node.role]
            found = scene.trials.first(trials) or scene.trials.first(_swaps(holders, roles, meant))
        if found:
            both = _around(scene, found)
            if both is not None:
                return Named(both, "", sure=True, reason="mixed-up")
            node = _needed(scene, found)
            deeper = ingredient(scene, found) if node is found.node else None
            step = found.role.step
            return (
                deeper
                or this_call(scene, node, step)
                or caused(scene, node, step)
                or Named(node, step, sure=True, reason="mixed-up")
            )
    return None


def _handed_well(scene: Scene, node: Node) -> bool:
    """Whether what is handed over is what the parameter is called."""
    return node.site.kind == ARGUMENT and any(
        one.site.kind == PARAMETER and one.path[-1:] == (node.site.parent,) and one.role == node.role and means(one)
        for one in scene.nodes
    )


def _around(scene: Scene, trial: Trial) -> Node | None:
    """The expression around two places swapped, if both are cut out of variables that hold what they are called.

    `Q[j] @ K[i]`: the queries are the queries, and where they should be cut is not known.
    """
    sites = {one.site for one in trial.repair}
    places = [node for node in scene.nodes if node.number in sites and node.path == trial.node.path]
    parents = {node.site.parent for node in places}
    if len(sites) < 2 or len(parents) > 1 or any(node.site.kind != SUBSCRIPT for node in places):  # noqa: PLR2004
        return None
    return next((node for node in scene.nodes if node.number in parents and node.path == trial.node.path), None)


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


def _swaps(holders: Sequence[Node], roles: dict[str, Role], meant: Mapping[str, int]) -> Iterator[Trial]:
    """Two places that each hold what the other should; not what goes into variables that hold what they are called."""
    shown = [node for node in holders if node.site.kind != ARGUMENT][:6] + [
        node for node in holders if node.site.kind == ARGUMENT
    ][:6]
    for place, first in enumerate(shown):
        for second in shown[place + 1 :]:
            if _may_be_swapped(first, second, meant):
                one, other = likewise(first, roles[second.role]), likewise(second, roles[first.role])
                yield Trial(first, one.role, (*one.repair, *other.repair))


def _may_be_swapped(first: Node, second: Node, meant: Mapping[str, int]) -> bool:
    if first.path != second.path or first.role == second.role:
        return False
    handed = [one.site.kind == ARGUMENT for one in (first, second)]
    later = [one.order <= meant.get(plain(one.role), -1) for one in (first, second)]
    return handed[0] == handed[1] and (handed[0] or not any(later))
