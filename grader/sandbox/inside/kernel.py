"""The few calls of the Linux kernel that Python has no words for. Every one tells its failure as `OSError`."""

import ctypes
import os
import sys
from typing import Any, Final

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_CAPBSET_DROP: Final = 24
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38
CAPABILITY_VERSION: Final = 0x20080522
HIGHEST_CAPABILITY: Final = 63

MACHINE: Final = os.uname().machine if hasattr(os, "uname") else ""
_known = sys.platform == "linux" and sys.maxsize > 2**32  # a 32-bit Python on a 64-bit kernel makes other calls
ARCHITECTURE: Final = {"x86_64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}.get(MACHINE) if _known else None
"""The architecture whose calls we know by number, or nothing."""

_libc: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
if _libc is not None:  # every argument at the full width of a register
    _libc.syscall.argtypes = [ctypes.c_long] * 5
    _libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]


def checked(result: int) -> int:
    """The result of a call of the C library. Errors: `OSError` if it is negative."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def call(number: int, *arguments: int) -> int:
    """A system call by its number, with up to four numbers or addresses."""
    return checked(_libc.syscall(number, *arguments, *[0] * (4 - len(arguments))))


def prctl(option: int, value: int) -> None:
    """Set something of this process."""
    checked(_libc.prctl(option, value, 0, 0, 0))


def unshare(flags: int) -> None:
    """Leave the namespaces shared with the parent."""
    checked(_libc.unshare(flags))


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a file system."""
    names = (source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data.encode())
    checked(_libc.mount(*names))


def name_host(name: bytes) -> None:
    """Give the machine another name, in a namespace of names of one's own."""
    checked(_libc.sethostname(name, ctypes.c_size_t(len(name))))


def drop_capabilities() -> None:
    """Give up every privilege that is not a user's, for good."""
    for capability in range(HIGHEST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # beyond the kernel's last one, or not ours to drop
            break
    head = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    checked(_libc.capset(ctypes.byref(head), ctypes.byref((ctypes.c_uint32 * 6)())))
