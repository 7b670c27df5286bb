"""What is remembered beside the exercises, in `.grade/`: hints opened, draws taken, copies of what was replaced."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.give import make_folder, replace_text

FOLDER = ".grade"


def read(folder: Path) -> dict[str, Any]:
    """The state of a folder of exercises; empty if there is none or it cannot be read."""
    try:
        state = json.loads((folder / FOLDER / "state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def write(folder: Path, state: dict[str, Any]) -> None:
    """Replace the state, in one move, so that an interruption loses nothing."""
    make_folder(folder / FOLDER)
    replace_text(folder / FOLDER / "state.json", json.dumps(state, indent=1, sort_keys=True))


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
    copy.write_bytes(path.read_bytes())
    return copy
