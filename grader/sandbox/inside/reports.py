"""How a run ended, told in one payload: code, line, the submission's own lines, texts, everything capped."""

import errno
import struct
import types
from collections.abc import Sequence
from typing import Any, cast

from .wire import ENDINGS, MAX_FRAMES, MAX_NAME, MAX_TEXT, REPORT, short_text

Line = tuple[int, str, str]
"""Number, function, source line."""

# A learner's class may redefine what looks like an attribute; these ask the type itself.
type_name = cast("Any", type.__dict__["__name__"]).__get__
_traceback_of = cast("Any", BaseException.__dict__["__traceback__"]).__get__


class Stop(BaseException):
    """Our own end of a run: an ending with its texts, and a line if there is one."""

    def __init__(
        self, ending: str, error: str = "", message: str = "", near: str = "", lines: Sequence[Line] = ()
    ) -> None:
        """Keep the report, ready to be sent."""
        super().__init__(ending, error, message)
        self.payload = payload(ending, error, message, near, lines)


def payload(ending: str, error: str = "", message: str = "", near: str = "", lines: Sequence[Line] = ()) -> bytes:
    """The payload of a report; its line is the last of the lines."""
    half = MAX_FRAMES // 2
    shown = lines if len(lines) <= MAX_FRAMES else [*lines[:half], *lines[-half:]]
    parts = [
        REPORT.pack(ENDINGS.index(ending), lines[-1][0] if lines else -1),
        short_text(error, MAX_NAME),
        short_text(message, MAX_TEXT),
        short_text(near, MAX_NAME),
        bytes([len(shown)]),
    ]
    for number, function, source in shown:
        parts += [struct.pack("<i", number), short_text(function, MAX_NAME), short_text(source.strip(), MAX_NAME)]
    return b"".join(parts)


def of_error(error: BaseException, name: str, source: Sequence[str]) -> bytes:
    """The report of whatever the file `name` raised."""
    if isinstance(error, Stop):
        return error.payload
    lines, innermost = own_lines(_traceback_of(error), name, source)
    ending = _ending(error)
    if ending == "not-written" and not innermost:
        ending = "exception"
    near = str(error.name or "") if isinstance(error, ImportError) else ""
    return payload(ending, type_name(type(error)), text_of(error), near, lines)


def _ending(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno == errno.EFBIG:  # the kernel's limit on what is written
        return "output-limit"
    kinds = ((MemoryError, "memory"), (SystemExit, "exit"), (ImportError, "import-error"))
    kinds += ((NotImplementedError, "not-written"),)  # type: ignore[assignment]
    return next((ending for kind, ending in kinds if isinstance(error, kind)), "exception")


def text_of(error: BaseException) -> str:
    """The message of an exception, or nothing if it cannot say."""
    try:
        return str(error)
    except BaseException:  # noqa: BLE001 - a learner's __str__ may raise anything at all
        return ""


def own_lines(trace: types.TracebackType | None, name: str, source: Sequence[str]) -> tuple[list[Line], bool]:
    """The lines of a traceback that lie in the submission, outermost first; whether the innermost of all does."""
    lines: list[Line] = []
    own = False
    while trace is not None:
        code = trace.tb_frame.f_code
        own = code.co_filename == name
        if own:
            lines.append(line_at(trace.tb_lineno, code.co_name, source))
        trace = trace.tb_next
    return lines, own


def running_lines(frame: types.FrameType | None, name: str, source: Sequence[str]) -> list[Line]:
    """The lines of the submission that are running, outermost first."""
    lines: list[Line] = []
    while frame is not None:
        if frame.f_code.co_filename == name:
            lines.append(line_at(frame.f_lineno, frame.f_code.co_name, source))
        frame = frame.f_back
    return lines[::-1]


def line_at(number: int | None, function: str, source: Sequence[str]) -> Line:
    """One line of the submission, with its text if there is one."""
    inside = number is not None and 0 < number <= len(source)
    return number or -1, function, source[number - 1] if inside and number else ""
