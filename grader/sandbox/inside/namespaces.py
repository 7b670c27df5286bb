"""A world of the server's own: no other process, no network, no shared memory, and in the end an empty disk.

Best effort: where the kernel or a container says no, the server goes on without, and says so.
"""

import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Final

from . import kernel

MOUNTS, NAMES, SHARED_MEMORY, USERS, PROCESSES, NETWORK = (
    0x00020000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
OWN: Final = MOUNTS | NAMES | SHARED_MEMORY | PROCESSES | NETWORK
READ_ONLY, NO_SETUID, NO_DEVICES, NO_PROGRAMS, RECURSIVE, PRIVATE = 1, 2, 4, 8, 1 << 14, 1 << 18
NOBODY: Final = 65534
PLACES: Final = ("/tmp", "/run", "/mnt", "/proc")  # noqa: S108 - any folder serves to mount the empty one on


def works(attempt: Callable[[], None]) -> bool:
    """Try something in a process that is thrown away."""
    pid = os.fork()
    if pid == 0:
        code = 1
        with contextlib.suppress(BaseException):
            attempt()
            code = 0
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def enter() -> bool:
    """Move to namespaces of our own; the caller goes on as their first process. Whether that was possible."""
    if not works(_rehearse):
        return False
    _leave_ours()
    pid = os.fork()
    if pid:
        _wait_for(pid)
    kernel.mount("", "/", "", RECURSIVE | PRIVATE)
    with contextlib.suppress(OSError):
        kernel.name_host(b"box")
    return True


def _rehearse() -> None:
    _leave_ours()
    if not works(lambda: kernel.mount("", "/", "", RECURSIVE | PRIVATE)):
        raise OSError


def _leave_ours() -> None:
    """Unshare everything; whoever is not root does it as the only user of a world of users."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        kernel.unshare(OWN)
        return
    kernel.unshare(OWN | USERS)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        Path("/proc/self", name).write_text(text, encoding="ascii")


def _wait_for(pid: int) -> None:
    """All that is left to do outside: end when the first process inside ends."""
    os.closerange(3, 4096)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os._exit(max(code, 1) if code else 0)


def end_with_parent() -> None:
    """Be killed when the parent ends, where the kernel can do that."""
    with contextlib.suppress(OSError, AttributeError):
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def empty_disk() -> bool:
    """Let the root be an empty folder that nobody can write to, after everything is imported; whether it worked."""
    for place in PLACES:
        with contextlib.suppress(OSError):
            kernel.mount("none", place, "tmpfs", READ_ONLY | NO_SETUID | NO_DEVICES | NO_PROGRAMS, "size=4k,mode=555")
            os.chroot(place)
            os.chdir("/")
            return True
    return False


def become_nobody() -> None:
    """Give up root, if we are root, and every privilege."""
    if os.geteuid() == 0:
        with contextlib.suppress(OSError):  # a world of users that knows no other than root
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    with contextlib.suppress(OSError):
        kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
