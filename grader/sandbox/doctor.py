"""What holds a submission on this machine, proven by trying it: each wall alone, all of them, and the limits.

Every check is a small attack in the box that learners' code runs in. Nothing is taken from a version number.
"""

import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from grader.errors import GradeError
from grader.model import Limits, Outcome
from grader.sandbox import proof
from grader.sandbox.ahead import FORKS
from grader.sandbox.command import WALLS, Setting
from grader.sandbox.inside import kernel
from grader.sandbox.run import Runner


class Check(NamedTuple):
    """One thing that was tried: its code (sentence: `doctor-CODE`), whether it holds, and the advice if it does not."""

    code: str
    holds: bool
    advice: str = ""


GROUPS = {
    "files": ("read-file", "write-file", "look-at-file", "list-folder"),
    "network": ("network", "local-socket"),
    "programs": ("start-process", "start-program", "start-thread"),
    "others": ("signal-others", "read-others", "trace-others", "share-memory"),
    "settings": ("undo-settings", "raise-limits", "make-code"),
    "modules": ("import-from-disk",),
}
"""What is tried against all walls together, by what it would reach."""

ALONE = {
    "seccomp": tuple(proof.ATTEMPTS),
    "landlock": ("read-file", "write-file", "list-folder", "start-program"),
    "namespaces": ("read-file", "look-at-file", "list-folder", "start-program"),
}
"""What each wall keeps out by itself."""

ALONE_IN_THE_WORLD = """
import os, socket
def f(): return [os.getppid() == 1 and {name for _, name in socket.if_nameindex()} <= {"lo"}]
"""

SHORT = Limits(wall=0.3, cpu=2.0, memory=128)
LIMITED: dict[str, tuple[str, Callable[[Outcome], bool]]] = {
    "time": ("def f():\n    while True: pass", lambda outcome: outcome.ending == "timeout"),
    "memory": ("def f(): return [bytes(400 << 20)]", lambda outcome: outcome.ending == "memory"),
    "output": (
        "import os\ndef f():\n    for _ in range(40): os.write(1, bytes(1 << 16))\n    return 1",
        lambda outcome: outcome.ending == "output-limit",
    ),
    "answers": (
        "import os\ndef f(): return os.write(3, bytes(64))",
        lambda outcome: (outcome.ending, outcome.error) == ("wrong-return", "protocol"),
    ),
    "root": (
        "import os\ndef f(): return [os.getuid() * os.geteuid() * os.getgid()]",
        lambda outcome: outcome.ending == "returned" and bool(outcome.values[0][0]),
    ),
}
"""A submission each, and how its run must end."""


def checks() -> Iterator[Check]:
    """Everything, one after the other."""
    with ExitStack() as stack:
        runners = {walls: stack.enter_context(Runner(Setting(walls))) for walls in (WALLS, *((one,) for one in WALLS))}
        for runner in runners.values():
            runner.start()
        for wall, held in ALONE.items():
            yield Check(wall, _stands(runners[wall,], wall, held), _advice(wall))
        together = runners[WALLS]
        escapes = _escapes(together)
        for code, attempts in GROUPS.items():
            yield Check(code, not escapes & set(attempts), "closed")
        for code, (source, ends_well) in LIMITED.items():
            yield Check(code, ends_well(_run(together, source)), "closed" if code == "root" else "limits")


def _stands(runner: Runner, wall: str, held: tuple[str, ...]) -> bool:
    try:
        stands = wall in runner.isolation and not _escapes(runner) & set(held)
        return stands and (wall != "namespaces" or _is_alone(runner))
    except GradeError:
        return False


def _is_alone(runner: Runner) -> bool:
    """Whether a process finds no network and no other process than the one that started it, which is the first."""
    outcome = _run(runner, ALONE_IN_THE_WORLD)
    return outcome.ending == "returned" and bool(outcome.values[0][0])


def _escapes(runner: Runner) -> set[str]:
    try:
        return set(proof.escapes(runner.attempt(proof.task())))
    except GradeError:
        return set(proof.ATTEMPTS)


def _run(runner: Runner, source: str) -> Outcome:
    try:
        return runner.run(source, Path("doctor.py"), "f", [()], 1, SHORT)[0]
    except GradeError:
        return Outcome("signal")


def _advice(wall: str) -> str:
    """What to do about a wall that is missing."""
    if not FORKS:
        return {"darwin": "macos", "win32": "windows"}.get(sys.platform, "linux")
    if kernel.ARCHITECTURE is None:
        return "machine"
    return wall


def machine() -> str:
    """The machine in a word."""
    return f"{platform.system()} {platform.release()} {platform.machine()}, Python {platform.python_version()}"
