"""What the kernel holds the process of a submission to, where its printing goes, and its clock.

All of it belongs to this process alone. The grader keeps a deadline of its own and kills the process; the clock here
only tells the line that was running.
"""

import contextlib
import io
import math
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, cast

if sys.platform != "win32":
    import resource

OPEN_FILES = 32
UNKNOWN = 1 << 30  # where the kernel does not tell how much is in use
WRITTEN = 16  # the kernel's limit on a file, in multiples of what one case may print


def limit_process(cpu: float, memory: int, output: int, size: int) -> None:
    """Processor seconds, MiB of memory beyond the `size` in use, bytes of a file written, open files, no core dump."""
    if sys.platform == "win32":
        return
    seconds = max(1, math.ceil(cpu))
    _limit("RLIMIT_CPU", seconds, seconds + 1)
    _limit("RLIMIT_FSIZE", output * WRITTEN)
    _limit("RLIMIT_NOFILE", OPEN_FILES)
    for name in ("RLIMIT_CORE", "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE", "RLIMIT_NICE", "RLIMIT_RTPRIO"):
        _limit(name, 0)
    if size:
        _limit("RLIMIT_AS", size + memory * 1024 * 1024)


def forbid_processes() -> None:
    """No further process or thread for whoever is not root; where there are walls, they refuse it too."""
    _limit("RLIMIT_NPROC", 0)


def _limit(name: str, soft: int, hard: int | None = None) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(AttributeError, ValueError, OSError):  # unknown here, or a lower one is in force
            resource.setrlimit(getattr(resource, name), (soft, soft if hard is None else hard))


def address_space() -> int:
    """Bytes of address space in use; on Linux never nothing, so that there always is a limit."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return UNKNOWN if sys.platform == "linux" else 0
    return pages * os.sysconf("SC_PAGE_SIZE")


# --- what is printed ---------------------------------------------------------------------------------------------


class Prints(io.RawIOBase):
    """Writes up to a cap and drops the rest, so that printing never fails and never changes a mark."""

    def __init__(self, descriptor: int = 1) -> None:
        """Write to the descriptor; nothing is written before `restart`."""
        super().__init__()
        self.descriptor, self.left = descriptor, 0
        text = io.TextIOWrapper(cast("Any", self), "utf-8", "backslashreplace", newline="\n", write_through=True)
        self._places: dict[str, Any] = dict.fromkeys(("stdout", "stderr", "__stdout__", "__stderr__"), text)

    def capture(self) -> None:
        """Take the place of stdout and stderr, both."""
        vars(sys).update(self._places)

    def restart(self, cap: int) -> None:
        """Start the next case with the full cap."""
        self.left = cap

    def writable(self) -> bool:
        """Yes."""
        return True

    def fileno(self) -> int:
        """The descriptor."""
        return self.descriptor

    def write(self, data: object) -> int:
        """Write what still fits; say that all was written."""
        view = memoryview(data).cast("B")  # type: ignore[arg-type]
        part = view[: self.left]
        self.left -= len(part)
        with contextlib.suppress(OSError):
            os.write(self.descriptor, part)
        return len(view)


# --- the clock ---------------------------------------------------------------------------------------------------


class Clock:
    """Calls back with the frame that runs when the time of a case, or of the processor, is up."""

    def __init__(self, up: Callable[[str, FrameType | None], None]) -> None:
        """Catch both signals, where there are any."""
        self.possible = hasattr(signal, "setitimer")
        if self.possible:
            signal.signal(signal.SIGALRM, lambda _number, frame: up("wall", frame))
            signal.signal(signal.SIGXCPU, lambda _number, frame: up("cpu", frame))
        self._set = getattr(signal, "setitimer", None)
        self._which = getattr(signal, "ITIMER_REAL", 0)

    def start(self, seconds: float) -> None:
        """Give so many seconds from now; 0 stops the clock."""
        if self._set is not None:
            self._set(self._which, seconds)
