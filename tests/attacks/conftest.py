"""What the attacks are tried on: the box, the same without its walls, and a naive grader."""

import json
import os
import socket
import string
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
import yaml

from grader.model import Limits
from grader.sandbox.run import Runner, Setting

HERE = Path(__file__).parent
SECRET = "not-for-submissions-5b1f"
TIGHT = Limits(wall=0.4, cpu=3.0, memory=256)
LOOSE = Limits(wall=10.0, cpu=30.0, memory=2048, output=32 << 20)
NUMBERS = {
    "x86_64": {
        "openat": 257, "openat2": 437, "statx": 332, "newfstatat": 262, "inotify_init1": 294, "io_uring_setup": 425,
        "getsockopt": 55, "clone": 56, "clone3": 435, "pidfd_open": 434, "pidfd_getfd": 438, "tgkill": 234,
        "rt_sigqueueinfo": 129, "timer_create": 222, "add_key": 248, "bpf": 321, "userfaultfd": 323,
    },
    "aarch64": {
        "openat": 56, "openat2": 437, "statx": 291, "newfstatat": 79, "inotify_init1": 26, "io_uring_setup": 425,
        "getsockopt": 209, "clone": 220, "clone3": 435, "pidfd_open": 434, "pidfd_getfd": 438, "tgkill": 131,
        "rt_sigqueueinfo": 138, "timer_create": 107, "add_key": 217, "bpf": 280, "userfaultfd": 282,
    },
}  # fmt: skip
HEAD = """
import ctypes, gc, mmap, os, resource, signal, socket, struct, subprocess, sys, threading, time
import numpy as np
libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {numbers}

def call(name, *arguments):
    words = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return libc.syscall(ctypes.c_long(NUMBERS[name]), *words)

def fork_and_wait(start):
    pid = start()
    if pid == 0:
        os._exit(0)
    return pid > 0 and os.waitpid(pid, 0)[0] == pid

def attack():
{body}

def f():
    return [bool(attack())]
"""


def collection(name):
    """One collection of attacks."""
    return yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def box():
    """The box as it is used."""
    with Runner(strangers=True) as runner:
        runner.require()
        yield runner


@pytest.fixture(scope="session")
def no_box():
    """The same server with its walls down."""
    with Runner(Setting(walls=())) as runner:
        assert runner.isolation == "limits"
        yield runner


@pytest.fixture
def attempt(tmp_path, listener):
    """A way to have a submission attack: gives whether it got through, and how the run ended."""
    tmp_path.chmod(0o777)
    (tmp_path / "file").write_text("a file of the grader's")
    (tmp_path / "neighbour.py").write_text("")
    places = {"folder": tmp_path, "file": tmp_path / "file", "port": listener, "grader": os.getpid()}

    def attempt(runner, body, limits):
        lines = string.Template(textwrap.indent(body, "    ")).substitute(places)
        source = HEAD.replace("{numbers}", repr(NUMBERS[os.uname().machine])).replace("{body}", lines)
        (outcome,) = runner.run(source, Path("attack.py"), "f", [()], 1, limits)
        through = outcome.ending == "returned" and bool(outcome.values[0][0])
        return through or (outcome.ending, outcome.message) == ("exit", "77"), outcome

    return attempt


@pytest.fixture(scope="session")
def listener():
    """A port of this machine that takes connections."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


@pytest.fixture(scope="session")
def naive():
    """What the naive grader makes of a collection."""
    kept = {}

    def naive(name, *ways):
        if name not in kept:
            command = [sys.executable, str(HERE / "naive.py"), str(HERE / f"{name}.yaml"), *ways]
            kept[name] = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=120).stdout)
        return kept[name]

    return naive


def at_rest(runner):
    """The processes below this one after a run: no submission, and one that waits for the next."""
    for _ in range(2):
        before = descendants(os.getpid())
        runner.run("def f(): return 1", Path("f.py"), "f", [()], 1)
    return with_the_next(before)


def with_the_next(before):
    """The processes below this one, as soon as there is one that waits for the next submission."""
    for _ in range(200):
        now = descendants(os.getpid())
        if now - before:
            return now
        time.sleep(0.01)
    return now


def descendants(pid):
    """The processes below one, dead ones that nobody has collected included."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    found, below = set(), {pid}
    while below:
        below = {one for one, parent in parents.items() if parent in below}
        found |= below
    return found
