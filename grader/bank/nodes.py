"""The nodes of a YAML file, before anything walks through them: aliases can make them endless, or far too many."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grader.errors import BadInput

MOST = 100_000
"""Nodes of a file with every alias written out; a template has a few hundred."""
_IN_WORK = -1


def check(root: Any, path: Path) -> None:
    """`BadInput` with the place if an anchor holds an alias to itself, or aliases unfold to too much."""
    sizes: dict[int, int] = {}
    stack = [root] if root is not None else []
    while stack:
        node = stack[-1]
        if id(node) not in sizes:
            sizes[id(node)] = _IN_WORK
            for inner in _inner(node):
                if sizes.get(id(inner)) == _IN_WORK:
                    raise _fault("yaml-endless", node, path)
                if id(inner) not in sizes:
                    stack.append(inner)
            continue
        stack.pop()
        if sizes[id(node)] == _IN_WORK:
            sizes[id(node)] = 1 + sum(sizes[id(inner)] for inner in _inner(node))
            if sizes[id(node)] > MOST:
                raise _fault("yaml-unfolds", node, path)


def _inner(node: Any) -> Sequence[Any]:
    if node.id == "scalar":
        return ()
    return node.value if node.id == "sequence" else list(_both(node.value))


def _both(pairs: Sequence[tuple[Any, Any]]) -> Iterator[Any]:
    for key, value in pairs:
        yield key
        yield value


def _fault(code: str, node: Any, path: Path) -> BadInput:
    mark = node.start_mark
    return BadInput(code, file=path, line=mark.line + 1, column=mark.column + 1, limit=MOST)
