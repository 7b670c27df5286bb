"""Conditions that draw the line in the wrong place, or never hold; a jump that comes too early.

What a condition compares with, and whether a jump is taken, are values like any others: a limit of one more or one
less, a condition that always holds, a `break` left out can make the result right. The statements that ran too often
or too rarely are not to be blamed then.
"""

from collections.abc import Callable, Iterator

from grader.judge.line.nodes import Node
from grader.judge.line.search import Scene
from grader.judge.line.trials import Trial
from grader.model import Array
from grader.sandbox.inside.rewrite import ASSIGNED, BINARY, GROWS, JUMP, LIMIT, LOOP, OPENS, TARGET
from grader.sandbox.recorded import EVERY, MOVED, SCALAR, Replacement

MOST_LIMITS = 6
MOST_JUMPS = 4
MOST_COUNTERS = 4


def conditions(scene: Scene) -> Iterator[Trial]:
    """Conditions that always hold, other limits, other numbers to count from, jumps left out."""
    yield from _opened(scene)
    yield from _limits(scene, _near)
    yield from _starts(scene)
    yield from _jumps(scene)
    yield from _limits(scene, _sizes)


def worked_out(scene: Scene, trial: Trial) -> Node | None:
    """Where a limit was worked out on an earlier line, if the same would help there."""
    (repair,) = trial.repair
    name = scene.recording.sites[repair.site].reads
    for one in scene.nodes:
        made = one.site.kind == BINARY and one.site.flags & ASSIGNED and one.state == "integer"
        if made and one.site.target == name and one.line != trial.node.line and one.order < trial.node.order:
            return one if scene.trials.works([repair._replace(site=one.number)]) else None
    return None


def _opened(scene: Scene) -> Iterator[Trial]:
    """A condition that keeps back something held open."""
    for node in scene.nodes:
        shut = any(not bool(entry.value.array) for entry in node.entries if entry.value.kind == SCALAR)
        if node.site.flags & OPENS and shut:
            yield Trial(node, scene.roles[0], (Replacement(node.number, EVERY, (1,)),), reason="closed")


def _limits(scene: Scene, others: Callable[[Scene, int], Iterator[Replacement]]) -> Iterator[Trial]:
    for place, node in _compared(scene)[:MOST_LIMITS]:
        for repair in others(scene, place):
            yield Trial(node, scene.roles[0], (repair,), reason="limit")


def _near(_: Scene, place: int) -> Iterator[Replacement]:
    """One more, and one less."""
    yield from (Replacement(place, MOVED, (step,)) for step in (1, -1))


def _sizes(scene: Scene, place: int) -> Iterator[Replacement]:
    """Another size."""
    sizes = {size for role in scene.roles if role.given for size in role.value.shape}
    yield from (Replacement(place, EVERY, (size,)) for size in sorted(sizes))


def _compared(scene: Scene) -> list[tuple[int, Node]]:
    """The sites of limits, each with the comparison it stands in."""
    by_number = {node.number: node for node in reversed(scene.nodes)}
    sites = scene.recording.sites
    return [
        (place, by_number[site.parent])
        for place, site in enumerate(sites)
        if site.flags & LIMIT and site.parent in by_number
    ]


def _starts(scene: Scene) -> Iterator[Trial]:
    """A whole number that a loop counts from, of one less or one more."""
    compared = [node for _, node in _compared(scene) if node.site.flags & LOOP]
    counted = {(node.site.function, name) for node in compared for name in node.site.reads.split()}
    grows = {(node.site.function, node.site.target) for node in scene.nodes if node.site.flags & GROWS}
    starts = [node for node in scene.nodes if (node.site.function, node.site.target) in counted & grows]
    starts = [node for node in starts if _is_start(node)][:MOST_COUNTERS]
    for node in starts:
        for step in (-1, 1) if _first(node) else (1,):
            yield Trial(node, scene.roles[0], (Replacement(node.number, MOVED, (step,)),), reason="number-alone")


def _is_start(node: Node) -> bool:
    whole = node.value.kind == SCALAR and _array(node).dtype.kind in "iu"
    return whole and node.site.kind == TARGET and not node.site.flags & GROWS


def _first(node: Node) -> int:
    return int(_array(node))


def _array(node: Node) -> Array:
    array = node.value.array
    assert array is not None  # noqa: S101 -- of a number
    return array


def _jumps(scene: Scene) -> Iterator[Trial]:
    jumps = [(place, site) for place, site in enumerate(scene.recording.sites) if site.kind == JUMP]
    for place, site in jumps[:MOST_JUMPS]:
        yield Trial(Node(place, site, (), []), scene.roles[0], (Replacement(place, EVERY, (0,)),), reason="jump")
