"""A class: a set for each student from a roster, the lock that keeps them, marking what is handed in."""

import contextlib
from pathlib import Path

LOCK = "course.lock.json"
"""The file that makes a folder a class: it keeps what every student was given."""


def lock_in(folder: Path) -> Path | None:
    """The lock that lies in a folder; none if we may not look into it."""
    path = folder / LOCK
    with contextlib.suppress(OSError):
        return path if path.is_file() else None
    return None
