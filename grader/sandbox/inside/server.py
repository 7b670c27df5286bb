"""Orders of the grader, and the process that carries them out: it forks for each submission and never sees one.

`run` comes with the submission's own socket and the file for what it prints; they go straight to the fork. `end`
comes with the seconds to wait for the fork to end by itself; the answer is how it ended, as the kernel tells it.
When the grader is gone, so is everything here.
"""

import builtins
import contextlib
import ctypes
import gc
import importlib
import os
import select
import signal
import socket
import sys
import time
import types
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.linalg
import numpy.random

from .serve import Session
from .wire import END, GRACE, READY, RUN, STATUS, Channel

# Imported while the server waits, so that a submission finds them ready.
PRELOADED = """
    numpy.ma numpy.fft numpy.polynomial numpy.strings numpy.char numpy.rec numpy.typing cmath dataclasses decimal
    difflib fractions json logging numbers pathlib pprint statistics string textwrap threading timeit traceback
"""
CLEANING = 2.0  # seconds at most to kill what a submission left behind
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def prepare() -> None:
    """Touch what every submission needs, and hide this script from it."""
    np.ones((2, 2)) @ np.ones((2, 2))  # the linear algebra library sets up its buffers on the first product
    builtins.exit = builtins.quit = cast("Any", sys.exit)  # what `site` would have put there
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = [""]
    gc.collect()
    gc.freeze()  # a collection in a fork then copies nothing that it shares with us


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
    prepare()
    channel.send(READY, 0)
    Session(channel).run()


def serve_many(descriptor: int) -> None:
    """Serve the grader's orders, one submission at a time."""
    control = socket.socket(fileno=descriptor)
    prepare()
    _prctl(PR_SET_CHILD_SUBREAPER, 1)  # whatever a submission starts is ours to find and kill
    control.send(bytes([READY]))
    waiting, pid = PRELOADED.split(), 0
    while True:
        while waiting and not select.select([control], [], [], 0)[0]:
            _preload(waiting)
        order, descriptors, _, _ = socket.recv_fds(control, 64, 2)
        if order[:1] == RUN:
            pid = _fork(control, descriptors)
            continue
        if not order:
            if pid:
                _end(pid, 0)
            os._exit(0)  # nothing to tidy up, and nobody waits for it
        control.send(_end(pid, *GRACE.unpack(order.removeprefix(END))))
        pid = 0


def _preload(waiting: list[str]) -> None:
    importlib.import_module(waiting.pop(0))
    gc.freeze()


def _fork(control: socket.socket, descriptors: list[int]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            control.close()
            _become_submission(*descriptors)
        finally:
            os._exit(1)
    for descriptor in descriptors:
        os.close(descriptor)
    return pid


def _become_submission(data: int, prints: int) -> None:
    os.setsid()
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.dup2(prints, 1)
    os.dup2(prints, 2)
    os.dup2(data, 3)
    os.closerange(4, 256)
    Session(Channel(3, 3)).run()


def _prctl(option: int, value: int) -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _end(pid: int, grace: float) -> bytes:
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
    seconds = usage.ru_utime + usage.ru_stime
    return STATUS.pack(os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss, killed)


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
        for pid in _children():
            _kill(pid)
        time.sleep(0.0005)


def _children() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(pid) for pid in Path("/proc/thread-self/children").read_text(encoding="ascii").split()]
    return []
