"""Frames, texts and arrays between the grader and the process of a submission.

A frame is a tag, a request id and a payload with its length. The layouts here are those of both sides; the grader
reads what comes back with its own distrustful reader (`grader/sandbox/replies.py`).
"""

import os
import struct
from typing import Any

HEADER = struct.Struct("<BIQ")  # tag, request id, length of the payload
JOB = struct.Struct("<Bddqqq")  # values returned; wall, cpu, memory, output, result as in Limits
# Exit code (negative: signal), processor seconds, peak KiB, whether we had to kill it, whether its walls were up.
STATUS = struct.Struct("<idq??")
REPORT = struct.Struct("<Bi")  # ending, line (-1: none)
GRACE = struct.Struct("<d")  # seconds to wait for the end of a process
END, BOX = b"e", b"b"  # the order to the server; what it says of a fork that waits
LOAD, CASE, READY, LOADED, RESULT, ENDED, RECORD, RECORDED, REPAIR, REPAIRED = range(1, 11)

DTYPES = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
ENDINGS = (
    "not-written",
    "syntax-error",
    "import-error",
    "missing-function",
    "exception",
    "wrong-return",
    "timeout",
    "memory",
    "exit",
    "output-limit",
)
MAX_NDIM = 8
MAX_NAME = 120
MAX_TEXT = 400
MAX_FRAMES = 10


class Channel:
    """Frames over a pair of file descriptors."""

    def __init__(self, reads: int, writes: int) -> None:
        """Keep the descriptors."""
        self.reads, self.writes = reads, writes

    def receive(self) -> tuple[int, int, bytes]:
        """Read one frame: tag, request id and payload."""
        tag, request, length = HEADER.unpack(self._exactly(HEADER.size))
        return tag, request, self._exactly(length)

    def _exactly(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            part = os.read(self.reads, min(size - len(parts), 1 << 20))
            if not part:
                os._exit(0)  # the grader has gone, or has heard enough
            parts += part
        return bytes(parts)

    def send(self, tag: int, request: int, payload: bytes = b"") -> None:
        """Write one frame."""
        rest = memoryview(HEADER.pack(tag, request, len(payload)) + payload)
        while rest:
            rest = rest[os.write(self.writes, rest) :]


class Reader:
    """Takes fields off a payload that the grader wrote."""

    def __init__(self, payload: bytes) -> None:
        """Start at the front."""
        self.payload, self.at = payload, 0

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        self.at += size
        return self.payload[self.at - size : self.at]

    def fields(self, layout: struct.Struct) -> tuple[Any, ...]:
        """The next fields of a layout."""
        return layout.unpack(self.take(layout.size))

    def text(self) -> str:
        """The next long text."""
        (size,) = self.fields(struct.Struct("<I"))
        return self.take(size).decode("utf-8", "surrogatepass")


def long_text(text: str) -> bytes:
    """A text of any length, as the grader sends it."""
    data = text.encode("utf-8", "surrogatepass")
    return struct.pack("<I", len(data)) + data


def short_text(text: str, cap: int) -> bytes:
    """A text cut to so many bytes. `str.encode` itself: a message may be a subclass with ideas of its own."""
    data = str.encode(text, "utf-8", "replace")[:cap]
    return struct.pack("<H", len(data)) + data


def array_bytes(array: Any) -> bytes:
    """One array: code of its type, number of dimensions, shape, bytes in C order."""
    code = DTYPES.index(array.dtype.str[1:])
    data: bytes = array.tobytes("C")
    return struct.pack(f"<BB{array.ndim}Q", code, array.ndim, *array.shape) + data
