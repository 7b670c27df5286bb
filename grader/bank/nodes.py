"""The nodes of a YAML file, before anything walks through them: aliases can make them endless, or far too many."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from grader.errors import BadInput

MOST = 100_000
"""Nodes of a file with every alias written out; a template has a few hundred."""
DEEPEST = 100
"""Nodes inside each other; a template has fewer than ten."""
LONGEST = 100
"""Characters of a number; Python refuses to write out one of thousands."""
_NUMBERS = frozenset({"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})


class _Extent(NamedTuple):
    """How much lies in a node, itself included, and how deep; nothing of either while it is being looked at."""

    size: int = 0
    depth: int = 0


def check(root: Any, path: Path) -> None:
    """`BadInput` with the place if an anchor holds an alias to itself, or nodes are too many or too deep."""
    known: dict[int, _Extent] = {}
    stack = [root] if root is not None else []
    while stack:
        node = stack[-1]
        if node.tag in _NUMBERS and len(node.value) > LONGEST:
            raise _fault("yaml-long-number", node, path, limit=LONGEST)
        if id(node) not in known:
            known[id(node)] = _Extent()
            for inner in _inner(node):
                if known.get(id(inner)) == _Extent():
                    raise _fault("yaml-endless", node, path)
                if id(inner) not in known:
                    stack.append(inner)
            continue
        stack.pop()
        if known[id(node)] == _Extent():
            within = [known[id(inner)] for inner in _inner(node)]
            extent = _Extent(1 + sum(one.size for one in within), 1 + max((one.depth for one in within), default=0))
            known[id(node)] = extent
            if extent.size > MOST:
                raise _fault("yaml-unfolds", node, path, limit=MOST)
            if extent.depth > DEEPEST:
                raise _fault("yaml-too-deep", node, path, limit=DEEPEST)


def _inner(node: Any) -> Sequence[Any]:
    if node.id == "scalar":
        return ()
    return node.value if node.id == "sequence" else list(_both(node.value))


def _both(pairs: Sequence[tuple[Any, Any]]) -> Iterator[Any]:
    for key, value in pairs:
        yield key
        yield value


def _fault(code: str, node: Any, path: Path, **numbers: int) -> BadInput:
    mark = node.start_mark
    return BadInput(code, file=path, line=mark.line + 1, column=mark.column + 1, **numbers)
