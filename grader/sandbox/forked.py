"""Processes forked, one for each submission, from a server that has numpy imported already (Linux).

The server is started by exec, never forked from the grader: a fork would carry expected values into the process of
the submission. It never reads the submission's socket, so nothing of one reaches the next through it.
"""

import os
import socket
import time
from collections.abc import Callable
from typing import BinaryIO, TypeVar

from grader.sandbox import ahead
from grader.sandbox.ahead import Launched
from grader.sandbox.box import Box, Death, Gone, Kind, ServerGone, TimeUp
from grader.sandbox.command import Setting
from grader.sandbox.inside.wire import BOX, END, GRACE, READY, STATUS

START = 60.0  # seconds in which a server must be ready, on the slowest machine
ANSWER = 10.0  # seconds in which it must tell how a process ended
AT_ONCE, MOST_AT_ONCE = 4096, 1 << 20  # bytes

T = TypeVar("T")
R = TypeVar("R")


class Server(Kind):
    """The server's process and the socket that orders go through."""

    def __init__(self, setting: Setting) -> None:
        """Nothing runs before `start`."""
        self._setting = setting
        self._server: Launched | None = None
        self._label = ""

    def start(self) -> None:
        """Start the server and do not wait for it."""
        if self._server is not None:
            return
        self._label = ""
        try:
            self._server = ahead.take(self._setting)
        except OSError as error:
            raise ServerGone(str(error)) from error

    def box(self) -> Box:
        """The process that waits for a submission. Errors: `ServerGone`."""
        self.ready()
        said, descriptors = self.hear(ANSWER)
        if said != BOX or len(descriptors) != 2:  # noqa: PLR2004 - its socket and what it prints to
            raise ServerGone(repr(said))
        data, prints = descriptors
        return Forked(self, socket.socket(fileno=data), os.fdopen(prints, "r+b", buffering=0))

    def ready(self) -> str:
        """Wait for the server; the walls it has. Errors: `ServerGone`."""
        self.start()
        if not self._label:
            said, _ = self.hear(START)
            if said[:1] != bytes([READY]):
                raise ServerGone(repr(said))
            self._label = said[1:].decode("ascii")
        return self._label

    @property
    def isolation(self) -> str:
        """The walls, once the server is ready."""
        return self.ready()

    def order(self, message: bytes) -> None:
        """Send an order. Errors: `ServerGone`."""
        assert self._server is not None  # noqa: S101 - for the type checker
        try:
            self._server.control.send(message)
        except OSError as error:
            raise self._gone() from error

    def hear(self, seconds: float) -> tuple[bytes, list[int]]:
        """The server's next message, and descriptors with it. Errors: `ServerGone`, after so many seconds too."""
        assert self._server is not None  # noqa: S101 - for the type checker
        self._server.control.settimeout(seconds)
        try:
            message, descriptors, _, _ = socket.recv_fds(self._server.control, 256, 2)
        except OSError as error:
            raise self._gone() from error
        if not message:
            raise self._gone()
        return message, descriptors

    def _gone(self) -> ServerGone:
        assert self._server is not None  # noqa: S101 - for the type checker
        self._server.errors.seek(0)
        last = self._server.errors.read()[-400:].decode("utf-8", "replace").strip().rpartition("\n")[2]
        return ServerGone(last)

    def close(self) -> None:
        """End the server."""
        if self._server is not None:
            self._server.end()
        self._server = None


class Forked(Box):
    """A fork of the server, on its own socket."""

    def __init__(self, server: Server, data: socket.socket, prints: BinaryIO) -> None:
        """Keep the server, to end the fork, and the socket."""
        super().__init__(prints)
        self._server, self._data = server, data
        self._ahead = b""  # received with the answer before, and no part of it

    def pending(self) -> bool:
        """Whether more came than was asked for; what comes from now on shows by its id."""
        return bool(self._ahead)

    def write(self, data: bytes, deadline: float) -> None:
        """Send all of it."""
        self._in_time(deadline, self._data.sendall, data)

    def read(self, size: int, deadline: float) -> bytes:
        """Exactly so much; most answers come in one piece, head and all."""
        data = bytearray(self._ahead)
        while len(data) < size:
            part = self._in_time(deadline, self._data.recv, min(max(size - len(data), AT_ONCE), MOST_AT_ONCE))
            if not part:
                raise Gone
            data += part
        self._ahead = bytes(data[size:])
        return bytes(data[:size])

    def _in_time(self, deadline: float, work: Callable[[T], R], what: T) -> R:
        self._data.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            return work(what)
        except TimeoutError:
            raise TimeUp from None
        except OSError:
            raise Gone from None

    def end(self, grace: float = 0.0) -> Death:
        """Have the server end it; it knows from the kernel how it ended."""
        self._data.close()
        self._server.order(END + GRACE.pack(grace))
        return Death(*STATUS.unpack(self._server.hear(grace + ANSWER)[0]))

    def close(self) -> None:
        """Close our end and what it printed to."""
        super().close()
        self._data.close()
