"""Keeps what was worked out once: indexes of mistakes, in this process and in the user's cache folder.

A file is named by the hash of all that it was made from, so it is never out of date. Without a folder to write to
everything still works, only anew each time.
"""

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from grader.judge.index import Index, from_bytes, to_bytes

MOST_FILES: Final = 200
"""More than one version of the catalogue ever needs; the oldest go first."""

_here: dict[str, Index] = {}


def folder() -> Path:
    """Where indexes are kept: `XDG_CACHE_HOME` if set, else the platform's usual place."""
    base = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else None)
    return (Path(base) if base else Path.home() / ".cache") / "attention-grader"


def index(key: str, build: Callable[[], Index]) -> Index:
    """The index kept under a key; made, and kept if possible, when there is none."""
    if key not in _here:
        _here[key] = _read(key) or _made(key, build)
    return _here[key]


def _read(key: str) -> Index | None:
    try:
        return from_bytes((folder() / f"{key}.index").read_bytes())
    except (OSError, RuntimeError):  # no file, or no home
        return None


def _made(key: str, build: Callable[[], Index]) -> Index:
    made = build()
    with contextlib.suppress(OSError, RuntimeError):
        _write(folder() / f"{key}.index", to_bytes(made))
    return made


def _write(path: Path, data: bytes) -> None:
    """All of the file or none of it: written beside its place, then moved there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    _tidy(path.parent)


def _tidy(place: Path) -> None:
    files = sorted(place.glob("*.index"), key=lambda file: file.stat().st_mtime)
    for old in files[:-MOST_FILES]:
        old.unlink(missing_ok=True)
