"""Where things stand in a YAML file: line and column of a key or value, and keys that are given twice."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grader.bank import load
from grader.errors import BadInput

Loc = tuple[int | str, ...]


class Places:
    """The nodes of one file."""

    def __init__(self, path: Path) -> None:
        """Read the file's nodes; `BadInput` if it is no YAML."""
        self.path = path
        self._root = load.compose(path)

    def _walk(self, loc: Sequence[int | str]) -> tuple[Any, Loc]:
        """The node nearest to a location, and the part of the location that led there.

        Parts that lead nowhere are skipped: a checker of unions adds the name of the kind that it tried.
        """
        node, known = self._root, []
        for part in loc:
            inner = _inside(node, part)
            if inner is not None:
                node = inner
                known.append(part)
        return node, tuple(known)

    def real(self, loc: Sequence[int | str]) -> Loc:
        """A location without the parts that do not stand in the file."""
        return self._walk(loc)[1]

    def at(self, loc: Sequence[int | str], *, of_key: bool = False) -> tuple[int | None, int | None]:
        """Line and column, from 1, of a value (or with `of_key` of its key), or of the nearest thing around it."""
        if of_key and loc and isinstance(loc[-1], str):
            parent, _ = self._walk(loc[:-1])
            mark = next((name.start_mark for name, _ in _pairs(parent) if name.value == loc[-1]), None)
            if mark is not None:
                return mark.line + 1, mark.column + 1
        node, _ = self._walk(loc)
        return (node.start_mark.line + 1, node.start_mark.column + 1) if node is not None else (None, None)

    def fault(self, loc: Sequence[int | str], code: str, *, of_key: bool = False, **numbers: Any) -> BadInput:
        """An error of this file at a location."""
        line, column = self.at(loc, of_key=of_key)
        return BadInput(code, file=self.path, line=line, column=column, **numbers)

    def twice(self) -> tuple[BadInput, ...]:
        """One error for each key that stands twice in the same mapping: YAML would silently keep the last."""
        return tuple(
            BadInput("duplicate-key", file=self.path, line=mark.line + 1, column=mark.column + 1, key=name)
            for name, mark in _twice(self._root)
        )


def _pairs(node: Any) -> list[tuple[Any, Any]]:
    return node.value if node is not None and node.id == "mapping" else []


def _inside(node: Any, part: int | str) -> Any:
    """The node at one key or index of another."""
    if node is not None and node.id == "sequence" and isinstance(part, int):
        return node.value[part] if part < len(node.value) else None
    return next((value for name, value in _pairs(node) if name.value == str(part)), None)


def _twice(node: Any) -> Iterator[tuple[str, Any]]:
    if node is None or node.id == "scalar":
        return
    if node.id == "sequence":
        for item in node.value:
            yield from _twice(item)
        return
    seen: set[Any] = set()
    for name, value in node.value:
        if name.id == "scalar" and name.value in seen:
            yield name.value, name.start_mark
        seen.add(name.value if name.id == "scalar" else id(name))
        yield from _twice(value)
