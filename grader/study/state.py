"""What is remembered beside the exercises, in `.grade/`: hints opened, draws taken, copies of what was replaced."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.give import make_folder, replace_bytes, replace_text

FOLDER, STATE = ".grade", "state.json"
MOST = 10**9
"""No number that we remember is so large; one of thousands of digits could not even be written out."""


def number(file: Path, what: str) -> int:
    """A number remembered about a file (`hints` opened, last of its `seeds`); 0 if there is none that makes sense."""
    kept = _read(file.parent).get(what)
    found = kept.get(file.name) if isinstance(kept, dict) else None
    return found if isinstance(found, int) and 0 <= found < MOST else 0


def remember(file: Path, **numbers: int) -> None:
    """Remember numbers about a file, in one move, so that an interruption loses nothing."""
    state = _read(file.parent)
    for what, value in numbers.items():
        kept = state.get(what)
        state[what] = {**(kept if isinstance(kept, dict) else {}), file.name: value}
    make_folder(file.parent / FOLDER)
    replace_text(file.parent / FOLDER / STATE, json.dumps(state, indent=1, sort_keys=True))


def _read(folder: Path) -> dict[str, Any]:
    """The state of a folder of exercises; empty if there is none or it cannot be read: it is only a help."""
    try:
        state = json.loads((folder / FOLDER / STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return state if isinstance(state, dict) else {}


def keep_copy(path: Path) -> Path:
    """Copy a file to `.grade/kept/`, under a name that tells when, and return the copy's path."""
    kept = path.parent / FOLDER / "kept"
    make_folder(kept)
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    copy = kept / f"{path.stem}.{stamp}{path.suffix}"
    number = 1
    while copy.exists():
        number += 1
        copy = kept / f"{path.stem}.{stamp}-{number}{path.suffix}"
    replace_bytes(copy, path.read_bytes())
    return copy
