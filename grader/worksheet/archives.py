"""Reads a `.zip` or `.tar.gz` as if it were a folder, in memory: nothing is written, whatever its members are called.

Everything is bounded before it is believed: the archive, its members, what each and all of them unpack to. A member
that is no ordinary file, or that cannot be unpacked, is a fault of its own.
"""

import gzip
import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from grader.errors import BadInput
from grader.worksheet.files import MAX_BYTES, TOP, Entry, is_packed, mebibytes, refused, sized, too_large

MAX_ARCHIVE: Final = 16 * MAX_BYTES
MAX_UNPACKED: Final = 32 * MAX_BYTES
MAX_MEMBERS: Final = 2000
_PLAIN: Final = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_UNREAD: Final = (zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError)
"""What the two readers raise over bytes that are no archive, or one of a kind that is not read; they say why."""
_BROKEN: Final = (zlib.error, EOFError, OSError, ValueError)
"""What they run into where an archive is cut off or damaged; what they say then helps nobody."""


def entries(path: Path, data: bytes) -> list[Entry]:
    """The files in an archive, in order of their names. Errors: `BadInput` if it is none, or holds too much."""
    members = _zipped(path, data) if path.name.lower().endswith(".zip") else _tarred(path, data)
    try:
        return sorted(members, key=lambda entry: entry.path.parts)
    except MemoryError:
        raise _too_large(path, MAX_UNPACKED) from None
    except _UNREAD as error:
        raise BadInput("archive-unreadable", file=path, reason=str(error)) from None
    except _BROKEN:
        raise BadInput("archive-damaged", file=path) from None


def read(path: Path) -> bytes:
    """The bytes of an archive: of an ordinary file that is not too large."""
    try:
        status = path.stat()
        if path.is_symlink():
            raise BadInput("file-link", file=path)
        if not stat.S_ISREG(status.st_mode):
            raise BadInput("file-not-regular", file=path)
        if status.st_size > MAX_ARCHIVE:
            raise _too_large(path, MAX_ARCHIVE)
        with path.open("rb") as file:
            return file.read(MAX_ARCHIVE)
    except OSError as error:
        raise BadInput("file-unreadable", file=path, reason=error.strerror or "") from None


def _zipped(path: Path, data: bytes) -> Iterator[Entry]:
    left = MAX_UNPACKED
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for number, member in enumerate(archive.infolist()):
            _count(path, number)
            name = _name(path, member.filename)
            kind = stat.S_IFMT(member.external_attr >> 16)
            if name is None or member.is_dir():
                continue
            if kind not in {0, stat.S_IFREG}:
                yield refused(_unusual(name, is_link=kind == stat.S_IFLNK))
                continue
            if member.flag_bits & 1:
                yield refused(BadInput("file-encrypted", file=name))
                continue
            if member.compress_type not in _PLAIN:
                yield refused(BadInput("file-packed", file=name))
                continue
            if is_packed(name):
                yield refused(_nested(name))
                continue
            if member.file_size > MAX_BYTES:
                yield refused(too_large(name, member.file_size))
                continue
            with archive.open(member) as file:
                unpacked = file.read(MAX_BYTES + 1)
            left -= len(unpacked)
            yield _unpacked(path, name, unpacked, left)


def _tarred(path: Path, data: bytes) -> Iterator[Entry]:
    plain = path.name.lower().endswith(".tar")
    packed: io.BufferedIOBase = io.BytesIO(data) if plain else gzip.GzipFile(fileobj=io.BytesIO(data))
    left = MAX_UNPACKED
    with tarfile.open(fileobj=_Bounded(packed, path), mode="r|") as archive:
        for number, member in enumerate(archive):
            _count(path, number)
            name = _name(path, member.name)
            if name is None or member.isdir():
                continue
            if not member.isreg() or member.issparse():
                yield refused(_unusual(name, is_link=member.issym() or member.islnk()))
                continue
            if is_packed(name):
                yield refused(_nested(name))
                continue
            if member.size > MAX_BYTES:
                yield refused(too_large(name, member.size))
                continue
            file = archive.extractfile(member)
            unpacked = file.read(MAX_BYTES + 1) if file else b""
            left -= len(unpacked)
            yield _unpacked(path, name, unpacked, left)


class _Bounded(io.RawIOBase):
    """A stream that unpacks no more than is allowed in all, whatever sizes it names."""

    def __init__(self, stream: io.BufferedIOBase, path: Path) -> None:
        super().__init__()
        self._stream, self._path, self._left = stream, path, MAX_UNPACKED

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise _too_large(self._path, MAX_UNPACKED)
        return data


def _too_large(path: Path, limit: int) -> BadInput:
    return BadInput("archive-too-large", file=path, limit=mebibytes(limit))


def _nested(name: Path) -> BadInput:
    """One level is enough for what is handed in, and too little for a bomb."""
    return BadInput("archive-nested", file=name)


def _unusual(name: Path, *, is_link: bool) -> BadInput:
    return BadInput("file-link" if is_link else "file-not-regular", file=name)


def _name(archive: Path, name: str) -> Path | None:
    """The path of a member below the archive's own, without the steps that lead out of it; nothing if none is left."""
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part.strip("./ ") and ":" not in part]
    return archive.joinpath(*parts) if parts else None


def _count(path: Path, number: int) -> None:
    if number >= MAX_MEMBERS:
        raise BadInput("archive-too-many", file=path, limit=MAX_MEMBERS)


def _unpacked(archive: Path, name: Path, data: bytes, left: int) -> Entry:
    if left < 0:
        raise _too_large(archive, MAX_UNPACKED)
    return Entry(name, lambda: sized(data, name), lambda: data[:TOP])
