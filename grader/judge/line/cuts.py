"""The columns of one head, cut out elsewhere than they are: a `slice`, or the number of the first column."""

from collections.abc import Iterator

from grader.judge.line.nodes import Node
from grader.judge.line.search import Scene
from grader.judge.line.trials import Trial
from grader.sandbox.inside.rewrite import ASSIGNED, BINARY, LOOP, TARGET
from grader.sandbox.recorded import TUPLE, Replacement

MOST_TIMES = 64
MOST_CUTS = 6


def cut(scene: Scene) -> Iterator[Trial]:
    """The right columns, wherever a head's columns are told."""
    heads, wide = scene.role("n_heads"), scene.role("d_head")
    if heads is None or wide is None:
        return
    count, width = int(heads.value), int(wide.value)
    slices = [node for node in scene.nodes if node.site.name == "slice" and node.value.kind == TUPLE]
    numbers = [node for node in scene.nodes if node.state == "integer" and _is_computed(node)]
    for node in [*slices, *numbers][:MOST_CUTS]:
        times = len(node.entries)
        for turns in _heads(times, count) if times % count == 0 and times <= MOST_TIMES else ():
            if node in slices:
                yield _with(scene, node, [(head * width, (head + 1) * width, None) for head in turns])
            else:
                yield from (_with(scene, node, [((head + more) * width,) for head in turns]) for more in (0, 1))


def _is_computed(node: Node) -> bool:
    """Whether a variable is worked out in a loop, and not the loop's own."""
    made = node.site.kind == BINARY or (node.site.kind == TARGET and node.site.name != "for")
    return bool(made and node.site.flags & ASSIGNED and node.site.flags & LOOP)


def _heads(times: int, count: int) -> Iterator[list[int]]:
    """Which head it is each time: the heads inside another loop, or around it."""
    yield [time % count for time in range(times)]
    if times > count:
        yield [time // (times // count) for time in range(times)]


def _with(scene: Scene, node: Node, values: list[tuple[int | None, ...]]) -> Trial:
    several = len(values[0]) > 1
    repair = (
        Replacement(node.number, entry.occurrence, new, several=several)
        for entry, new in zip(node.entries, values, strict=True)
    )
    return Trial(node, scene.roles[0], tuple(repair), reason="cut" if several else "number-alone")
