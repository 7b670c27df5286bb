"""What was worked out once, kept as files in the user's cache folder.

A file is named by the hash of all that it was made from, so it is never out of date. Without a folder to write to
everything still works, only anew each time.
"""

import contextlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

MOST_FILES: Final = 500
"""Of one kind; more than one version of the bank and its catalogue needs. The oldest go first."""


def folder() -> Path:
    """Where files are kept: `XDG_CACHE_HOME` if set, else the platform's usual place. Errors: `RuntimeError`.

    A relative path in a variable counts as not set, as the XDG Base Directory Specification wants it.
    """
    names = ("XDG_CACHE_HOME", "LOCALAPPDATA") if sys.platform == "win32" else ("XDG_CACHE_HOME",)
    set_to = (Path(os.environ.get(name, "")) for name in names)
    base = next((path for path in set_to if path.is_absolute()), None)
    return (base or Path.home() / ".cache") / "attention-grader"


def get(name: str) -> bytes | None:
    """What is kept under a name; nothing if there is no file, no folder or no home."""
    try:
        return (folder() / name).read_bytes()
    except (OSError, RuntimeError):
        return None


def put(name: str, data: bytes) -> None:
    """Keep this under a name whose ending is its kind, if there is a place to keep it."""
    with contextlib.suppress(OSError, RuntimeError):
        _write(folder() / name, data)


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
    _tidy(path.parent, path.suffix)


def _tidy(place: Path, kind: str) -> None:
    files = list(place.glob(f"*{kind}"))
    if len(files) > MOST_FILES:
        files.sort(key=lambda file: file.stat().st_mtime)
        for old in files[:-MOST_FILES]:
            old.unlink(missing_ok=True)
