"""Reads what was handed in, and nothing else: ordinary files of a sensible size, whatever a name may point to."""

import math
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, Literal, NamedTuple

from grader.errors import BadInput

MEBIBYTE: Final = 1024 * 1024
MAX_BYTES: Final = MEBIBYTE
TOP: Final = 1000
"""Bytes of a file in which its head stands, if it has one."""
ARCHIVES: Final = (".zip", ".tar.gz", ".tgz", ".tar")
PACKED: Final = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".tbz", ".txz", ".cab", ".iso", ".lzh")
"""Archives that are not unpacked, but may well hold what was handed in."""
Links = Literal["followed", "inside", "refused"]
"""What a link may be: anything where a person typed its name; inside the folder it was found in; nothing at all."""


class Entry(NamedTuple):
    """One file that may be an exercise: its path, for people, how its bytes are had, and the first of them.

    Errors: `BadInput`.
    """

    path: Path
    read: Callable[[], bytes]
    top: Callable[[], bytes]


def entry(path: Path, links: Links = "followed") -> Entry:
    """A file on the disk."""
    return Entry(path, partial(content, path, links), partial(_first, path, links))


def is_archive(path: Path) -> bool:
    """Whether a name is that of an archive."""
    return path.name.lower().endswith(ARCHIVES)


def is_packed(path: Path) -> bool:
    """Whether a name is that of an archive, of a kind that is unpacked or not."""
    return is_archive(path) or path.name.lower().endswith(PACKED)


def archive_stem(path: Path) -> str:
    """The name of an archive without what says that it is one; of another file without its ending."""
    endings = (path.name[: -len(one)] for one in (*ARCHIVES, *PACKED) if path.name.lower().endswith(one))
    return next(endings, path.stem).removesuffix(".tar")


def content(path: Path, links: Links = "followed") -> bytes:
    """The bytes of an ordinary file. Nothing else is opened, so that nothing can block or be led elsewhere."""
    return sized(_first(path, links, MAX_BYTES + 1), path)


def _first(path: Path, links: Links, count: int = TOP) -> bytes:
    """So many bytes of an ordinary file, from its start."""
    try:
        if path.is_symlink():
            _check_link(path, links)
        _check(path, path.stat(), links)
        no_link = getattr(os, "O_NOFOLLOW", 0) if links == "refused" else 0
        wait_for_nobody = getattr(os, "O_NONBLOCK", 0)
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | no_link | wait_for_nobody)
        with os.fdopen(opened, "rb") as file:
            status = os.fstat(opened)
            _check(path, status, links)  # what was opened, not what stood there a moment before
            if count > MAX_BYTES and status.st_size > MAX_BYTES:
                raise too_large(path, status.st_size)
            return file.read(count)
    except OSError as error:
        raise BadInput("file-unreadable", file=path, reason=error.strerror or "") from None


def sized(data: bytes, path: Path) -> bytes:
    """The same bytes, if they are not too many. Errors: `BadInput`."""
    if len(data) > MAX_BYTES:
        raise too_large(path, len(data))
    return data


def too_large(path: Path, size: int) -> BadInput:
    """The error for a file that nobody wrote by hand."""
    return BadInput("file-too-large", file=path, size=mebibytes(size), limit=mebibytes(MAX_BYTES))


def mebibytes(size: int) -> str:
    """A size for people, never less than it is: `1.1`, `300`."""
    return f"{math.ceil(size / MEBIBYTE * 10) / 10:.1f}".removesuffix(".0")


def _check(path: Path, status: os.stat_result, links: Links) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise BadInput("file-not-regular", file=path)
    if links == "refused" and status.st_nlink > 1:  # its other name may be that of a file that is not the student's
        raise BadInput("file-hard-link", file=path)


def _check_link(path: Path, links: Links) -> None:
    """A link in a folder could show its reader's own files as if they had been handed in."""
    inside = links == "inside" and path.resolve().is_relative_to(path.parent.resolve())
    if not (links == "followed" or inside):
        raise BadInput("file-link", file=path)
    if not path.exists():
        raise BadInput("file-link-lost", file=path)


def refused(fault: BadInput) -> Entry:
    """A file that cannot be read: its fault shows when it is tried."""
    assert fault.file is not None  # noqa: S101 - for the type checker
    return Entry(fault.file, _raiser(fault), _raiser(fault))


def _raiser(fault: BadInput) -> Callable[[], bytes]:
    def fail() -> bytes:
        raise fault

    return fail
