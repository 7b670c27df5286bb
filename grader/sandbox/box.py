"""One running process of a submission, seen from the grader: ask it one thing, see what it printed, end it.

`Box` speaks the frames and keeps the grader's own deadline; how bytes travel and how the process is killed is that of
its two kinds, in `forked.py` and `spawned.py`.
"""

import contextlib
import os
import secrets
import tempfile
import time
from abc import ABC, abstractmethod
from typing import BinaryIO, NamedTuple

from grader.sandbox.inside.wire import ENDED, HEADER
from grader.sandbox.replies import MAX_REPORT, Violation, clean

GRACE = 0.5  # seconds after the limit in which the process may still tell the line that was running


class Gone(Exception):
    """The process closed its end: it has died, or will."""


class TimeUp(Exception):
    """The process did not answer in time."""


class ServerGone(Exception):
    """Our own server did not start or has died; the text says what it wrote, if anything."""


class Death(NamedTuple):
    """How a process ended: exit code (negative: signal), processor seconds, peak KiB, whether we had to kill it.

    `ready` is false if it ended before it could run anything of the submission: a fault of ours.
    """

    code: int
    cpu: float
    peak: int
    killed: bool
    ready: bool = True


class Box(ABC):
    """A process that answers one frame with one frame."""

    def __init__(self, prints: BinaryIO) -> None:
        """Keep the file that the process prints to."""
        self._prints = prints
        self._seen = 0

    def ask(self, tag: int, expected: int, payload: bytes, cap: int, seconds: float) -> tuple[int, bytes]:
        """Send a frame under an id of its own; the answer's tag, `expected` or ENDED, and its payload.

        Errors: `Gone`, `TimeUp`, and `Violation` for anything that is not one whole answer to this very frame.
        """
        deadline = time.monotonic() + seconds + GRACE
        request = secrets.randbits(32)
        if self.pending():
            raise Violation
        self.write(HEADER.pack(tag, request, len(payload)) + payload, deadline)
        answered, echoed, length = HEADER.unpack(self.read(HEADER.size, deadline))
        cap = {expected: cap, ENDED: MAX_REPORT}.get(answered, -1)
        if echoed != request or length > cap:
            raise Violation
        return answered, self.read(length, deadline)

    def printed(self, cap: int) -> str:
        """What it printed since the last time, cut to so many bytes. Only while it waits, or has ended."""
        end = os.fstat(self._prints.fileno()).st_size
        if end == self._seen:
            return ""
        self._prints.seek(self._seen)
        self._seen = end
        return clean(self._prints.read(cap))

    def close(self) -> None:
        """Let go of everything of ours; after `end`, or when something went wrong on the way."""
        self._prints.close()

    @abstractmethod
    def pending(self) -> bool:
        """Whether the process has said something unasked."""

    @abstractmethod
    def write(self, data: bytes, deadline: float) -> None:
        """Send all of it before the deadline. Errors: `Gone`, `TimeUp`."""

    @abstractmethod
    def read(self, size: int, deadline: float) -> bytes:
        """Exactly so many bytes before the deadline. Errors: `Gone`, `TimeUp`."""

    @abstractmethod
    def end(self, grace: float = 0.0) -> Death:
        """Wait so many seconds for it to end, kill it and all it started, and tell how it ended."""


class Kind(ABC):
    """A way to have processes for submissions ready."""

    @property
    @abstractmethod
    def isolation(self) -> str:
        """What holds a submission, in the words of the report. Errors: `ServerGone`."""

    def folder(self) -> contextlib.AbstractContextManager[str]:
        """An empty folder for a submission to run in, or no name at all where it finds no files."""
        if self.isolation in {"limits", "process"}:
            return tempfile.TemporaryDirectory(prefix="grade-", ignore_cleanup_errors=True)
        return contextlib.nullcontext("")

    @abstractmethod
    def start(self) -> None:
        """Begin to make the next process ready, without waiting. Errors: `ServerGone`."""

    @abstractmethod
    def box(self) -> Box:
        """A fresh process, ready for a job. Errors: `ServerGone`."""

    @abstractmethod
    def close(self) -> None:
        """End everything that was started."""
