"""Forks a process for each submission, ends it when the grader says so, and never sees a submission.

There always is one fork that waits for its submission, made while the grader is busy with what the one before gave. The
grader gets its end of the fork's socket, and the file that the fork prints to. `end` comes with the seconds to wait for
the fork to end by itself; the answer is how it ended, as the kernel tells it. When the grader is gone, so is
everything here.
"""

import builtins
import contextlib
import gc
import os
import signal
import socket
import sys
import time
import types
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.linalg
import numpy.random

from . import kernel, modules, namespaces
from .limits import address_space, forbid_processes
from .serve import Session
from .walls import Walls, confine, finish
from .warm import warm
from .wire import BOX, END, GRACE, READY, STATUS, Channel

if sys.platform != "win32":
    import fcntl

CLEANING = 2.0  # seconds at most to kill what a submission left behind
DATA, SEALED = 3, 4  # the descriptors of a fork: its socket; and, until its walls are up, the pipe that tells of it


class Room(NamedTuple):
    """What a fork is put into: the walls, the size of the process before it, who forked it, and what it is to do."""

    walls: Walls
    size: int
    server: int
    session: Session


def prepare() -> Session:
    """Touch what every submission needs, and hide this script from it; the session of those to come."""
    np.ones((2, 2)) @ np.ones((2, 2))  # the linear algebra library sets up its buffers on the first product
    builtins.exit = builtins.quit = cast("Any", sys.exit)  # what `site` would have put there
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = sys.orig_argv = [""]
    sys.dont_write_bytecode = True
    session = Session()
    gc.collect()
    gc.freeze()  # a collection in a fork then copies nothing that it shares with us
    return session


def serve_one() -> None:
    """Serve one submission over stdin and stdout; what it prints goes where stderr goes."""
    channel = Channel(os.dup(0), os.dup(1))
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - there is none elsewhere

        for descriptor in (channel.reads, channel.writes):
            msvcrt.setmode(descriptor, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    session = prepare()
    channel.send(READY, 0)
    session.run(channel, address_space(), lambda: None)


def serve_many(descriptor: int, walls: Walls, more: Sequence[str]) -> None:
    """Serve the grader's orders, one submission at a time."""
    control = socket.socket(fileno=descriptor)
    modules.preload(more)
    _check_alone()
    size = address_space()
    walls = finish(walls)
    gc.freeze()  # what was imported stays: only what comes from here on is looked through for garbage
    warm()
    room = Room(walls, size, os.getpid(), prepare())  # after `warm`: the clock calls back the last session
    if walls.namespaces:
        namespaces.end_with_parent()  # the small process outside
    with contextlib.suppress(OSError):
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # whatever a submission starts is ours to find and kill
    control.send(bytes([READY]) + room.walls.label.encode())
    _obey(control, room)


def _check_alone() -> None:
    """A copy of a process with several threads may hang; a module that starts one cannot be allowed."""
    tasks = Path("/proc/self/task")
    if tasks.is_dir() and len(list(tasks.iterdir())) > 1:
        os.write(2, b"a module that is imported ahead has started a thread")
        os._exit(1)  # without waiting for it


def _obey(control: socket.socket, room: Room) -> None:
    while True:
        pid, sealed = _fork(control, room)
        order = control.recv(64)
        if not order:
            _end(pid, 0)
            os._exit(0)  # nothing to tidy up, and nobody waits for it
        ended = _end(pid, *GRACE.unpack(order.removeprefix(END)))
        control.send(STATUS.pack(*ended, os.read(sealed, 1) == b"s"))
        os.close(sealed)


def _fork(control: socket.socket, room: Room) -> tuple[int, int]:
    """A new process that waits for its submission, and the pipe in which it says that its walls are up."""
    reads, writes = os.pipe()
    prints = os.memfd_create("prints")
    theirs, ours = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        try:
            control.close()
            _become_submission([ours.fileno(), prints, writes], room)
        finally:
            os._exit(1)
    socket.send_fds(control, [BOX], [theirs.fileno(), prints])
    for end in (theirs, ours):
        end.close()
    for descriptor in (prints, writes):
        os.close(descriptor)
    return pid, reads


def _become_submission(descriptors: list[int], room: Room) -> None:
    """Keep four descriptors: nothing to read from, the prints twice, and the socket."""
    os.setsid()
    namespaces.end_with_parent()
    if os.getppid() != room.server:
        os._exit(1)
    data, prints, sealed = (fcntl.fcntl(one, fcntl.F_DUPFD, SEALED + 1) for one in descriptors)
    for descriptor, place in ((prints, 1), (prints, 2), (data, DATA), (sealed, SEALED)):
        os.dup2(descriptor, place)
    os.closerange(SEALED + 1, 4096)
    room.session.run(Channel(DATA, DATA), room.size, partial(_close, room.walls))


def _close(walls: Walls) -> None:
    """Put up the walls, and say so; a fork that ends before has run nothing of the submission."""
    if walls.closed:
        forbid_processes()
    confine(walls)
    os.write(SEALED, b"s")
    os.close(SEALED)


def _end(pid: int, grace: float) -> tuple[int, float, int, bool]:
    """Wait so long for the fork, kill it and all it started, and tell how it ended."""
    until = time.monotonic() + grace
    done, status, usage = os.wait4(pid, os.WNOHANG)
    while not done and time.monotonic() < until:
        time.sleep(0.0005)
        done, status, usage = os.wait4(pid, os.WNOHANG)
    killed = not done
    if killed:
        _kill(pid)
        _, status, usage = os.wait4(pid, 0)
    _clean(pid)
    code = os.waitstatus_to_exitcode(status)
    killed = killed and code == -signal.SIGKILL  # else it was ending by itself, on a machine with much to do
    return code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, killed


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _clean(group: int) -> None:
    """Kill what a submission started and left: its process group, and whoever became our child when it died."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    until = time.monotonic() + CLEANING
    while time.monotonic() < until:
        try:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
        except ChildProcessError:
            return
        _kill_children()
        time.sleep(0.0005)


def _kill_children() -> None:
    if os.getpid() == 1:  # the first process of a namespace: everyone but us
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        return
    with contextlib.suppress(OSError):
        for pid in Path("/proc/thread-self/children").read_text(encoding="ascii").split():
            _kill(int(pid))
