"""One array, or one list, that stands in several places: what is put into one of them is in the others as well."""

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from grader.judge.line.nodes import Node
from grader.judge.line.search import Scene
from grader.judge.line.trials import Trial
from grader.sandbox.inside.rewrite import ADDED, ASSIGNED, BINARY, LOOP, PLACE, TARGET
from grader.sandbox.recorded import ARRAY, COPIED, LISTED, Replacement, Site

MOST_TIMES = 64
MOST_PLACES = 6


def copied(scene: Scene) -> Iterator[Trial]:
    """A copy wherever the same is given a second name: sharing is all that a copy can change."""
    changed = _changed(scene)
    nodes = [node for node in scene.nodes if _may_be_shared(node) and changed & _names(node)]
    groups = [list(group) for _, group in groupby(nodes, key=lambda node: _where(node.site))]
    for same in groups[:MOST_PLACES]:
        copies = (
            Replacement(node.number, entry.occurrence, (np.array(entry.value.array),))
            for node in same
            for entry in node.entries
        )
        yield Trial(same[0], scene.roles[0], tuple(copies), reason="aliased")
    added = [(place, site) for place, site in enumerate(scene.recording.sites) if site.kind == ADDED]
    for place, site in [each for each in added if each[1].flags & LOOP][:MOST_PLACES]:
        yield Trial(Node(place, site, (), []), scene.roles[0], (Replacement(place, COPIED, (0,)),), reason="aliased")


def _changed(scene: Scene) -> set[str]:
    """The variables whose insides are changed, and those that they are made of: they may be views of them."""
    changed = {node.site.name for node in scene.nodes if node.site.kind == PLACE}
    views = {name for node in scene.nodes if node.site.target in changed for name in node.site.reads.split()}
    return changed | views


def _may_be_shared(node: Node) -> bool:
    """A variable that was only given another name, or a list made of the same list several times."""
    if not node.site.flags & ASSIGNED or len(node.entries) > MOST_TIMES:
        return False
    arrays = [entry.value.array for entry in node.entries]
    if any(array is None or not array.ndim for array in arrays):
        return False
    if node.site.kind == TARGET:
        return node.value.kind in {ARRAY, LISTED}
    return node.site.kind == BINARY and node.value.kind == LISTED


def _names(node: Node) -> set[str]:
    return {node.site.target, *node.site.reads.split()}


def _where(site: Site) -> tuple[int, ...]:
    return site.line, site.column, site.end_line, site.end_column
