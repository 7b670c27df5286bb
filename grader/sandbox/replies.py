"""Reads what the process of a submission sends. Nothing in it is trusted: sizes before bytes, texts cut and cleaned.

Only arrays of known types and short texts come out of here. Everything else is a `Violation`.
"""

import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from grader.model import Array, Ending, Frame, Limits, Outcome
from grader.sandbox.inside.wire import (
    DTYPES,
    ENDINGS,
    JOB,
    MAX_FRAMES,
    MAX_NAME,
    MAX_NDIM,
    MAX_TEXT,
    REPORT,
    array_bytes,
    long_text,
)

Argument = Array | int | None
MAX_REPORT = 8 * 1024
MAX_HEAD = 1024  # of a result, beside the bytes of its arrays


class Violation(Exception):
    """The process sent something that is no answer."""


class Untrusted:
    """Takes fields off a payload, never more than is there."""

    def __init__(self, payload: bytes) -> None:
        """Start at the front."""
        self._payload, self._at = payload, 0

    def take(self, size: int) -> bytes:
        """The next `size` bytes. Errors: `Violation` if there are fewer."""
        part = self._payload[self._at : self._at + size]
        if len(part) != size:
            raise Violation
        self._at += size
        return part

    def byte(self, least: int, most: int) -> int:
        """The next byte, in a range."""
        value = self.take(1)[0]
        if not least <= value <= most:
            raise Violation
        return value

    def fields(self, layout: str) -> tuple[Any, ...]:
        """The next fields of a layout."""
        return struct.unpack(layout, self.take(struct.calcsize(layout)))

    def text(self, cap: int) -> str:
        """The next text, cleaned."""
        (size,) = self.fields("<H")
        if size > cap:
            raise Violation
        return clean(self.take(size))

    def end(self) -> None:
        """Nothing may be left. Errors: `Violation`."""
        if self._at != len(self._payload):
            raise Violation


def clean(data: bytes) -> str:
    """Bytes as text without control characters and without marks that turn the direction of writing."""
    text = data.decode("utf-8", "replace")
    if text.replace("\n", "").isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


class Task(NamedTuple):
    """One submission to run."""

    source: str
    name: str
    function: str
    cases: tuple[tuple[Argument, ...], ...]
    returns: int
    limits: Limits
    modules: tuple[str, ...] = ()


def job_payload(task: Task, folder: str, cpu: float) -> bytes:
    """What a process is to run, and under which limits; `cpu` is what is left of the processor's seconds."""
    texts = b"".join(long_text(text) for text in (task.name, task.function, folder, task.source))
    limits = task.limits
    return texts + JOB.pack(task.returns, limits.wall, cpu, limits.memory, limits.output, limits.result)


def case_payload(arguments: Sequence[Argument]) -> bytes:
    """The arguments of one case."""
    return bytes([len(arguments)]) + b"".join(argument_bytes(argument) for argument in arguments)


def argument_bytes(argument: Argument) -> bytes:
    """One argument: nothing, an integer, or an array, which may be read-only."""
    if argument is None:
        return b"\0"
    if isinstance(argument, int):
        return b"\1" + struct.pack("<q", argument)
    kind = b"\2" if argument.flags.writeable else b"\3"
    return kind + array_bytes(argument.astype(argument.dtype.newbyteorder("<"), copy=False))


def read_result(payload: bytes, returns: int, arguments: int, limit: int) -> Outcome:
    """The arrays of one case and which arguments were changed. Errors: `Violation`."""
    reader = Untrusted(payload)
    changed = tuple(reader.byte(0, arguments - 1) for _ in range(reader.byte(0, arguments)))
    reader.byte(returns, returns)
    values = tuple(read_array(reader, limit) for _ in range(returns))
    reader.end()
    return Outcome("returned", values, inputs_changed=changed)


def read_array(reader: Untrusted, limit: int) -> Array:
    """The next array, of so many bytes at most. Errors: `Violation`."""
    dtype = np.dtype("<" + DTYPES[reader.byte(0, len(DTYPES) - 1)])
    shape = reader.fields(f"<{reader.byte(0, MAX_NDIM)}Q")
    size = math.prod(shape) * dtype.itemsize
    if size > limit or max(shape, default=0) > limit:
        raise Violation
    array = np.frombuffer(reader.take(size), dtype).reshape(shape)
    if dtype.kind == "b":  # a byte that is neither 0 nor 1 is no boolean
        array = array.view(np.uint8) != 0
    return array.astype(dtype.newbyteorder("="))


def read_report(payload: bytes) -> Outcome:
    """How a run ended, in the process's own words. Errors: `Violation`."""
    reader = Untrusted(payload)
    code, line = reader.fields(REPORT.format)
    if code >= len(ENDINGS):
        raise Violation
    ending = cast("Ending", ENDINGS[code])
    error, message, near = reader.text(MAX_NAME), reader.text(MAX_TEXT), reader.text(MAX_NAME)
    frames = tuple(_frame(reader) for _ in range(reader.byte(0, MAX_FRAMES)))
    reader.end()
    known = line if line > 0 else None
    return Outcome(ending, line=known, frames=frames, error=error, message=message, near=near or None)


def _frame(reader: Untrusted) -> Frame:
    (line,) = reader.fields("<i")
    return Frame(line, reader.text(MAX_NAME), reader.text(MAX_NAME))
