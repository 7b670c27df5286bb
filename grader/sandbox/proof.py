"""Tries to break out of the box, with what one submission can do; a box is believed in when all of it failed.

Each attempt is a function body that gives something true if it got through. An attempt that raises has failed; one
that would end the process is not made here (`grade doctor` and the tests go further).
"""

from grader.model import Limits, Outcome
from grader.sandbox.replies import Task

ATTEMPTS = {
    "read-file": "return open('/etc/passwd').read() or os.open('/proc/self/maps', os.O_RDONLY)",
    "write-file": "return os.open('/tmp', os.O_TMPFILE | os.O_RDWR)",
    "look-at-file": "return os.stat('/etc/passwd')",
    "list-folder": "return os.listdir('/etc')",
    "network": "return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "local-socket": "return socket.socketpair()",
    "start-process": "return os.fork() or os._exit(0)",
    "start-program": "os.execv('/bin/true', ['true'])",
    "start-thread": "return threading.Thread(target=int).start() or True",
    "signal-others": "return os.kill(os.getppid(), 0) or True",
    "read-others": "return libc.process_vm_readv(os.getppid(), None, 0, None, 0, 0) == 0",
    "trace-others": "return libc.ptrace(16, os.getppid(), None, None) == 0",
    "share-memory": "return libc.memfd_create(b'x', 0) >= 0 or libc.shmget(0, 4096, 0o1600) >= 0",
    "undo-settings": "return libc.prctl(1, 0, 0, 0, 0) == 0 or libc.prctl(4, 1, 0, 0, 0) == 0",
    "raise-limits": "return resource.setrlimit(resource.RLIMIT_CORE, (0, 0)) or True",
    "make-code": "return mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
    "import-from-disk": "import asyncio; return asyncio",
}
"""By the name that a message gives it."""

HEAD = """
import ctypes, mmap, os, resource, socket, threading
libc = ctypes.CDLL(None)
def through(attempt):
    try:
        return bool(attempt())
    except Exception:
        return False
"""


def task() -> Task:
    """The submission that makes every attempt."""
    bodies = "".join(f"def attempt_{place}():\n    {body}\n" for place, body in enumerate(ATTEMPTS.values()))
    calls = ", ".join(f"through(attempt_{place})" for place in range(len(ATTEMPTS)))
    return Task(f"{HEAD}{bodies}def f():\n    return [{calls}]\n", "proof.py", "f", ((),), 1, Limits())


def escapes(outcome: Outcome) -> tuple[str, ...]:
    """The attempts that got through; all of them if there is no clear answer."""
    if outcome.ending != "returned" or outcome.values[0].shape != (len(ATTEMPTS),):
        return tuple(ATTEMPTS)
    return tuple(name for name, through in zip(ATTEMPTS, outcome.values[0], strict=True) if through)
