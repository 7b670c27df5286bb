"""A fresh process for each submission, where a fork of a process that uses numpy is not safe (macOS, Windows).

The next one is started while the one before is at work, so that its imports cost no waiting. Pipes are all that every
platform has, and they know no deadline: a timer kills the process, which ends the reading and the writing.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import IO, Any, BinaryIO

from grader.sandbox.box import Box, Death, Gone, Kind, ServerGone, TimeUp
from grader.sandbox.command import Setting, command, environment, folders
from grader.sandbox.inside.wire import HEADER, MAX_TEXT, READY
from grader.sandbox.replies import MAX_REPORT

START = 60.0
POSIX = os.name == "posix"


class Spawner(Kind):
    """Keeps one process ahead."""

    def __init__(self, setting: Setting) -> None:
        """Nothing runs before `start`."""
        self._setting = setting
        self._ahead: Spawned | None = None

    @property
    def isolation(self) -> str:
        """A process of its own; under the kernel's limits where there are such limits."""
        return "limits" if POSIX else "process"

    def start(self) -> None:
        """Start the next process and do not wait for it."""
        if self._ahead is None:
            self._ahead = _spawn(self._setting)

    def box(self) -> Box:
        """The process that was started ahead, once it is ready; the next one is started behind it."""
        self.start()
        box, self._ahead = self._ahead, None
        assert box is not None  # noqa: S101 - for the type checker
        try:
            tag, _, _ = HEADER.unpack(box.read(HEADER.size, time.monotonic() + START))
        except (Gone, TimeUp):
            box.end()
            said = box.printed(MAX_REPORT).strip().rpartition("\n")[2][-MAX_TEXT:]
            box.close()
            raise ServerGone(said) from None
        except BaseException:  # Ctrl-C
            box.close()
            raise
        if tag != READY:
            raise ServerGone(str(tag))
        self.start()
        return box

    def close(self) -> None:
        """End the process that was started ahead."""
        if self._ahead is not None:
            self._ahead.end()
            self._ahead.close()
        self._ahead = None


def _spawn(setting: Setting) -> "Spawned":
    prints = tempfile.TemporaryFile("a+b", buffering=0)  # noqa: SIM115 - closed with the process
    try:
        process = subprocess.Popen(  # noqa: S603 - our own command
            command("once", *folders(setting.modules)),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=prints,
            bufsize=0,
            start_new_session=POSIX,  # its process group is killed as a whole
        )
    except OSError as error:
        prints.close()
        raise ServerGone(str(error)) from error
    return Spawned(process, prints)


class Spawned(Box):
    """One process over its stdin and stdout."""

    def __init__(self, process: "subprocess.Popen[bytes]", prints: BinaryIO) -> None:
        """Keep the process and its pipes."""
        super().__init__(prints)
        self._process = process
        self._input: IO[bytes] = _pipe(process.stdin)
        self._output: IO[bytes] = _pipe(process.stdout)
        self._death: Death | None = None

    def pending(self) -> bool:
        """Look whether a read would not wait; where pipes cannot be asked, the ids alone tell."""
        return POSIX and bool(select.select([self._output], [], [], 0)[0]) and self._look(wait=False) is None

    def write(self, data: bytes, deadline: float) -> None:
        """Send all of it."""
        rest = memoryview(data)
        with self._until(deadline):
            while rest:
                rest = rest[os.write(self._input.fileno(), rest) :]

    def read(self, size: int, deadline: float) -> bytes:
        """Receive exactly so much."""
        parts = bytearray()
        with self._until(deadline):
            while len(parts) < size:
                part = os.read(self._output.fileno(), size - len(parts))
                if not part:
                    raise Gone
                parts += part
        return bytes(parts)

    @contextlib.contextmanager
    def _until(self, deadline: float) -> Iterator[None]:
        late = threading.Event()
        timer = threading.Timer(max(0.0, deadline - time.monotonic()), self._too_late, [late])
        timer.daemon = True  # Ctrl-C may come before it is cancelled: the grader's own end does not wait for it
        try:
            timer.start()
            yield
        except (OSError, Gone):
            raise TimeUp if late.is_set() else Gone from None
        finally:
            timer.cancel()
            if timer.ident is not None:
                timer.join()

    def _too_late(self, late: threading.Event) -> None:
        late.set()
        if self._process.returncode is None:  # a timer that was left behind finds the number of another process
            self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            if POSIX:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def end(self, grace: float = 0.0) -> Death:
        """Wait, kill the process group, and collect what the system tells."""
        until = time.monotonic() + grace
        death = self._look(wait=False)
        while death is None and time.monotonic() < until:
            time.sleep(0.0005)
            death = self._look(wait=False)
        killed = death is None
        self._kill()
        death = death or self._look(wait=True)
        self._input.close()
        self._output.close()
        assert death is not None  # noqa: S101 - for the type checker
        if POSIX and death.code != -signal.SIGKILL:  # it was ending by itself, on a machine with much to do
            killed = False
        return death._replace(killed=killed)

    def _look(self, *, wait: bool) -> Death | None:
        """How it ended, if it has: the system tells that only once."""
        self._death = self._death or _collect(self._process, wait=wait)
        return self._death

    def close(self) -> None:
        """End it if nobody has."""
        super().close()
        if self._process.returncode is None:
            self.end()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # noqa: S101 - for the type checker
    return pipe


def _collect(process: "subprocess.Popen[bytes]", *, wait: bool) -> Death | None:
    """How a process ended, if it has."""
    if not POSIX:
        code = process.wait() if wait else process.poll()
        return None if code is None else Death(code, 0.0, 0, killed=False)
    done, status, usage = os.wait4(process.pid, 0 if wait else os.WNOHANG)
    if not done:
        return None
    process.returncode = os.waitstatus_to_exitcode(status)
    return _death(process.returncode, usage)


def _death(code: int, usage: Any) -> Death:
    return Death(code, usage.ru_utime + usage.ru_stime, _peak(usage), killed=False)


def _peak(usage: Any) -> int:
    """KiB that a process had at most; nothing where that may be ours: it began as a copy of the grader."""
    import resource  # noqa: PLC0415 - there is none on Windows

    unit = 1024 if sys.platform == "darwin" else 1
    theirs, ours = (one.ru_maxrss // unit for one in (usage, resource.getrusage(resource.RUSAGE_SELF)))
    return theirs if theirs > ours else 0
