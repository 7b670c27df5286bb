"""What a stream and the terminal behind it can do, by the environment variables that people set for that.

Rich looks at the same ones, and takes as long to load as marking half a set; so it is asked only about Windows.
"""

import os
import sys
from typing import TextIO

USUAL = 80
_DIGITS = 6


def is_dumb() -> bool:
    """Whether the terminal knows no codes at all."""
    return os.environ.get("TERM", "").strip().lower() in {"dumb", "unknown"}


def is_old_windows() -> bool:
    """Whether this is a Windows console that does not know escape codes."""
    if sys.platform == "win32":
        from rich.console import detect_legacy_windows  # noqa: PLC0415 -- of use there alone

        return detect_legacy_windows()
    return False


def takes_codes(stream: TextIO) -> bool:
    """Whether escape codes may be written to a stream: it is a terminal, or someone says that it is."""
    if is_dumb() or is_old_windows():
        return False
    said = os.environ.get("TTY_COMPATIBLE", "")
    if said in {"0", "1"}:
        return said == "1"
    forced = os.environ.get("FORCE_COLOR")
    return bool(forced) if forced is not None else stream.isatty()


def wants_colours() -> bool:
    """Whether colours are welcome where codes are."""
    return not os.environ.get("NO_COLOR")


def width() -> int:
    """The terminal's columns, 80 without one; one fewer in an old Windows console, where a full line breaks."""
    if is_dumb():
        return USUAL
    said = os.environ.get("COLUMNS", "")
    columns = int(said) if said.isdecimal() and len(said) <= _DIGITS else _measured()
    return (columns or USUAL) - is_old_windows()


def _measured() -> int:
    for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        try:
            return os.get_terminal_size(stream.fileno() if stream else -1).columns
        except (OSError, ValueError):
            continue
    return 0
