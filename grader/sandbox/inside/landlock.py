"""Landlock: no file is opened, no port is bound or connected to, no signal leaves. A second wall behind seccomp."""

import ctypes
import os
import struct
from typing import Final

from . import kernel

CREATE, RESTRICT = 444, 446  # the same numbers on every architecture
VERSION_ONLY: Final = 1
FILES: Final = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 5: 0xFFFF}
"""By the version that first knows them: every right on files that the kernel can withhold."""
NETWORK: Final = (4, 0b11)  # TCP: bind and connect
SCOPE: Final = (6, 0b11)  # abstract sockets and signals


def version() -> int:
    """What the kernel offers, by asking it; 0 if nothing."""
    try:
        return kernel.call(CREATE, 0, 0, VERSION_ONLY)
    except OSError:
        return 0


def attributes(offered: int) -> bytes:
    """Everything that this version can withhold, as it wants to be told."""
    files = FILES[max(known for known in FILES if known <= offered)]
    network, scope = (value if offered >= since else None for since, value in (NETWORK, SCOPE))
    fields = [field for field in (files, network, scope) if field is not None]
    return struct.pack(f"<{len(fields)}Q", *fields)


def restrict(offered: int) -> None:
    """Withhold all of it from this process: there is not a single rule that gives some back."""
    asked = attributes(offered)
    buffer = ctypes.create_string_buffer(asked, len(asked))
    rules = kernel.call(CREATE, ctypes.addressof(buffer), len(asked), 0)
    try:
        kernel.call(RESTRICT, rules, 0)
    finally:
        os.close(rules)
