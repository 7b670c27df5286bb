"""Starts the server while the grader itself is still being loaded: both take a while.

`start` needs little and comes first; whoever runs code later takes the server over, or starts one of its own.
"""

import contextlib
import os
import select
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, NamedTuple

from grader.errors import BadInput
from grader.sandbox.command import Setting, environment, server_command

FORKS = sys.platform == "linux"
"""Whether a process that has imported NumPy may be copied: not where NumPy uses libraries that do not allow it."""


PATIENCE = 3.0  # seconds in which a server must end


class Launched(NamedTuple):
    """A server that was started: its process, the socket for orders, and where it writes what went wrong."""

    process: "subprocess.Popen[bytes]"
    control: socket.socket
    errors: BinaryIO

    def end(self) -> None:
        """Close the socket, at which the server kills its fork and ends; kill it if it does not."""
        self.control.close()
        try:
            _await(self.process, PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.errors.close()


_waiting: dict[Setting, Launched] = {}


def start(path: Path, modules: tuple[str, ...] = ()) -> None:
    """Start a server if code is likely to be run; what goes wrong shows when it is."""
    setting = Setting(modules=modules)
    if FORKS and setting not in _waiting and _holds_code(path):
        with contextlib.suppress(OSError, BadInput):
            _waiting[setting] = launch(setting)


def take(setting: Setting) -> Launched:
    """The server that was started ahead, or a fresh one. Errors: `OSError`, `BadInput`."""
    return _waiting.pop(setting, None) or launch(setting)


def launch(setting: Setting) -> Launched:
    """Start a server and do not wait for it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the server
    try:
        process = subprocess.Popen(  # noqa: S603 - our own command
            server_command(setting, theirs.fileno()),
            env=environment(),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C is for the grader; the server ends when the grader's socket closes
        )
    except BaseException:
        ours.close()
        errors.close()
        raise
    finally:
        theirs.close()
    return Launched(process, ours, errors)


def _await(process: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Return once a process has ended. Errors: `TimeoutExpired`. `Popen.wait` alone looks ever more seldom."""
    with contextlib.suppress(OSError, AttributeError):  # a kernel or a Python that knows no such handles
        handle = os.pidfd_open(process.pid)
        try:
            ended, _, _ = select.select([handle], [], [], seconds)
        finally:
            os.close(handle)
        seconds = 1.0 if ended else 0.0
    process.wait(seconds)


def _holds_code(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return path.suffix == ".py" or any(path.glob("[0-9]*_*.py"))
    return False
