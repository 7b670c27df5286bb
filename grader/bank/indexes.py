"""Keeps indexes of mistakes, in this process and on the shelf: making one takes seconds."""

from collections.abc import Callable

from grader.bank import shelf
from grader.judge.index import Index, from_bytes, to_bytes

_here: dict[str, Index] = {}


def index(key: str, build: Callable[[], Index]) -> Index:
    """The index kept under a key; made, and kept if possible, when there is none."""
    if key not in _here:
        _here[key] = _read(key) or _made(key, build)
    return _here[key]


def _read(key: str) -> Index | None:
    data = shelf.get(f"{key}.index")
    return None if data is None else from_bytes(data)


def _made(key: str, build: Callable[[], Index]) -> Index:
    made = build()
    shelf.put(f"{key}.index", to_bytes(made))
    return made
