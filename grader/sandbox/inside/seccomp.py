"""The calls of the kernel that a submission may make; all others fail, and no file, program or network is among them.

A classic BPF program, made here and readable here: one comparison for each call, then the fate of everything else.
Arrays, prints, clocks, random numbers and the answer to the grader need no more than `ALLOWED`.
"""

import ctypes
import errno
import os
import struct
from typing import Final, NamedTuple

from . import kernel

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
FAIL: Final = 0x00050000  # with an error number in its low half


class Numbers(NamedTuple):
    """The number of a call on each architecture; nothing where there is no such call."""

    x86_64: int | None
    aarch64: int | None


ALLOWED: Final = {
    "read": Numbers(0, 63),
    "write": Numbers(1, 64),
    "writev": Numbers(20, 66),
    "close": Numbers(3, 57),
    "fstat": Numbers(5, 80),
    "lseek": Numbers(8, 62),
    "getcwd": Numbers(79, 17),
    "munmap": Numbers(11, 215),
    "mremap": Numbers(25, 216),
    "madvise": Numbers(28, 233),
    "brk": Numbers(12, 214),
    "rt_sigaction": Numbers(13, 134),
    "rt_sigprocmask": Numbers(14, 135),
    "rt_sigreturn": Numbers(15, 139),
    "sigaltstack": Numbers(131, 132),
    "getitimer": Numbers(36, 102),
    "setitimer": Numbers(38, 103),
    "nanosleep": Numbers(35, 101),
    "clock_nanosleep": Numbers(230, 115),
    "clock_gettime": Numbers(228, 113),
    "clock_getres": Numbers(229, 114),
    "gettimeofday": Numbers(96, 169),
    "time": Numbers(201, None),
    "times": Numbers(100, 153),
    "getrusage": Numbers(98, 165),
    "getrandom": Numbers(318, 278),
    "futex": Numbers(202, 98),
    "sched_yield": Numbers(24, 124),
    "restart_syscall": Numbers(219, 128),
    "rseq": Numbers(334, 293),
    "uname": Numbers(63, 160),
    "getpid": Numbers(39, 172),
    "getppid": Numbers(110, 173),
    "gettid": Numbers(186, 178),
    "getuid": Numbers(102, 174),
    "geteuid": Numbers(107, 175),
    "getgid": Numbers(104, 176),
    "getegid": Numbers(108, 177),
    "exit": Numbers(60, 93),
    "exit_group": Numbers(231, 94),
}
"""Allowed whatever the arguments."""

FAILING: Final = {
    # A file that is looked for is not there: a search for modules then ends as it should.
    "stat": (Numbers(4, None), errno.ENOENT),
    "lstat": (Numbers(6, None), errno.ENOENT),
    "newfstatat": (Numbers(262, 79), errno.ENOENT),
    "statx": (Numbers(332, 291), errno.ENOENT),
    "access": (Numbers(21, None), errno.ENOENT),
    "faccessat": (Numbers(269, 48), errno.ENOENT),
    "faccessat2": (Numbers(439, 439), errno.ENOENT),
    "readlink": (Numbers(89, None), errno.ENOENT),
    "readlinkat": (Numbers(267, 78), errno.ENOENT),
    "ioctl": (Numbers(16, 29), errno.ENOTTY),
    "clone": (Numbers(56, 220), errno.EAGAIN),
    "clone3": (Numbers(435, 435), errno.ENOSYS),
}
"""Refused in words of their own; every call that is not named anywhere fails with "not permitted"."""

MMAP: Final = Numbers(9, 222)
MPROTECT: Final = Numbers(10, 226)
FCNTL: Final = Numbers(72, 25)
PRLIMIT: Final = Numbers(302, 261)
TGKILL: Final = Numbers(234, 131)
SECCOMP: Final = Numbers(317, 277)
"""Allowed with some arguments only; see `_checked`. The last one is the call that installs all this."""

EXECUTABLE: Final = 4  # PROT_EXEC
F_DUPFD, F_GETFD, F_GETFL, F_DUPFD_CLOEXEC = 0, 1, 3, 1030
AUDIT: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32: Final = 0x40000000  # the other way to number the calls of x86-64

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
SET_MODE_FILTER: Final = 1
ANY_PID: Final = 0x7FFFFFFF  # stands for the process's own, which is not known yet
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16

Instruction = tuple[int, int, int, int]
"""Operation, jump if true, jump if false, operand."""


def program(architecture: str, pid: int) -> list[Instruction]:
    """The whole program for a process of this id."""
    rules = [rule for name, numbers in ALLOWED.items() for rule in _rule(_on(numbers, architecture), _leave(ALLOW))]
    for numbers, error in FAILING.values():
        rules += _rule(_on(numbers, architecture), _leave(FAIL | error))
    for numbers, block in _checked(pid):
        rules += _rule(_on(numbers, architecture), block)
    start = [(LOAD, 0, 0, ARCHITECTURE_AT), (EQUAL, 1, 0, AUDIT[architecture]), *_leave(KILL), (LOAD, 0, 0, NUMBER_AT)]
    x32 = [(AT_LEAST, 0, 1, X32), *_leave(KILL)] if architecture == "x86_64" else []
    return [*start, *x32, *rules, *_leave(FAIL | errno.EPERM)]


class Filter:
    """The program in the kernel's form, made once; each process puts in its own id and installs it."""

    def __init__(self) -> None:
        """Make it for this machine."""
        assert kernel.ARCHITECTURE is not None  # noqa: S101 - asked before
        steps = program(kernel.ARCHITECTURE, ANY_PID)
        code = b"".join(struct.pack("<HBBI", *one) for one in steps)
        self._number = _on(SECCOMP, kernel.ARCHITECTURE) or 0
        self._place = 8 * next(place for place, one in enumerate(steps) if one[3] == ANY_PID) + 4
        self._code = ctypes.create_string_buffer(code, len(code))
        head = struct.pack("<H6xQ", len(steps), ctypes.addressof(self._code))
        self._head = ctypes.create_string_buffer(head, len(head))

    def install(self) -> None:
        """Hold this process to the program from now on; there is no way back."""
        struct.pack_into("<I", self._code, self._place, os.getpid())
        kernel.call(self._number, SET_MODE_FILTER, 0, ctypes.addressof(self._head))


def _on(numbers: Numbers, architecture: str) -> int | None:
    return numbers.x86_64 if architecture == "x86_64" else numbers.aarch64


def _leave(fate: int) -> list[Instruction]:
    return [(RETURN, 0, 0, fate)]


def _rule(number: int | None, block: list[Instruction]) -> list[Instruction]:
    """For this call the block, which always ends in a return."""
    return [] if number is None else [(EQUAL, 0, len(block), number), *block]


def _argument(place: int, *, high: bool = False) -> Instruction:
    """Load half of an argument; both machines keep the low half first."""
    return (LOAD, 0, 0, ARGUMENTS_AT + 8 * place + 4 * high)


def _checked(pid: int) -> list[tuple[Numbers, list[Instruction]]]:
    """The calls that depend on what they are called with."""
    no, yes = _leave(FAIL | errno.EPERM), _leave(ALLOW)
    no_code = [_argument(2), (ANY_BIT, 0, 1, EXECUTABLE), *no, *yes]  # no memory that can be run is made
    commands = [F_DUPFD, F_GETFD, F_GETFL, F_DUPFD_CLOEXEC]
    some_commands = [_argument(1), *((EQUAL, len(commands) - at, 0, one) for at, one in enumerate(commands)), *no, *yes]
    reading_ones_own = [
        _argument(0), (EQUAL, 0, 4, 0), _argument(2), (EQUAL, 0, 2, 0), _argument(2, high=True), (EQUAL, 1, 0, 0),
        *no, *yes,
    ]  # fmt: skip
    to_oneself = [_argument(0), (EQUAL, 1, 0, pid), *no, *yes]
    return [
        (MMAP, no_code),
        (MPROTECT, no_code),
        (FCNTL, some_commands),
        (PRLIMIT, reading_ones_own),
        (TGKILL, to_oneself),
    ]
