"""What a submission computed on the way to its result, and what its result would be with some values replaced.

    with record(runner, source, path, function, returns) as tape:
        outcome = tape.plain(arguments)             # as it is always run
        recording = tape.run(arguments)             # the same with every value on the way
        results = tape.repair([repair, …])          # and again, with other values in the place of some

It all happens in a process of the submission's own, after its marks are fixed. What comes back is checked byte by
byte and may still be invented by the submission: it is good for advice, never for points.
"""

import contextlib
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from grader.model import Array, Limits, Outcome
from grader.sandbox.box import GRACE, Box, Gone, Kind, TimeUp
from grader.sandbox.inside.wire import CASE, ENDED, LOAD, LOADED, MAX_NAME, RECORD, RECORDED, REPAIR, REPAIRED, RESULT
from grader.sandbox.replies import (
    Argument,
    Task,
    Untrusted,
    Violation,
    argument_bytes,
    case_payload,
    job_payload,
    read_array,
    read_report,
    read_result,
)

CAP = 32 * 1024 * 1024
MAX_SITES, MAX_ENTRIES = 6000, 30_000
NOTHING, ARRAY, SCALAR, LISTED, TUPLE, NONE = range(6)
LIMITS = Limits(wall=0.2, cpu=2.0, result=1024 * 1024)
"""What a recorded run may use."""


LATE = 0.1
"""Seconds in which the process must say that its time was up; nobody needs the line that was running."""


class Site(NamedTuple):
    """One place in the file where a value was seen: numbers as in `inside/rewrite.py`."""

    kind: int
    flags: int
    function: int
    parent: int
    line: int
    column: int
    end_line: int
    end_column: int
    name: str
    target: str
    reads: str


class Value(NamedTuple):
    """One value: what kind of thing it was, and its array; several for a tuple, none for what has no numbers."""

    kind: int
    parts: tuple["Value | Array", ...] = ()

    @property
    def array(self) -> Array | None:
        """Its numbers, if it is one array, number or list of them."""
        return None if self.kind not in {ARRAY, SCALAR, LISTED} else self.parts[0]  # type: ignore[return-value]


class Call(NamedTuple):
    """One call of a function of the file: which function, from which call, between which entries, with what."""

    function: int
    parent: int
    start: int
    end: int
    arguments: tuple[Value, ...]


class Entry(NamedTuple):
    """One value seen: its place in the order of all, the call it was seen in, the site, for the how-manieth time."""

    order: int
    call: int
    site: int
    occurrence: int
    thing: int
    value: Value


class Recording(NamedTuple):
    """One call of the submission's function with all that was seen.

    `changed_at` is the site where one of its arguments was first seen changed, if that was looked for; else -1.
    """

    functions: tuple[str, ...]
    sites: tuple[Site, ...]
    calls: tuple[Call, ...]
    entries: tuple[Entry, ...]
    result: Outcome
    changed_at: int = -1


EVERY, MOVED, COPIED = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
"""Instead of a number of times: each time; each time so much larger, if it is a whole number; each time a copy."""


class Replacement(NamedTuple):
    """One value to be put in the place of another: at which site, for the how-manieth time, and what."""

    site: int
    occurrence: int
    values: tuple[Argument, ...]
    several: bool = False


Repair = Sequence[Replacement]


class Tape:
    """One submission in its box. Once it has died or run out of time, every further answer is nothing."""

    def __init__(self, box: Box, task: Task) -> None:
        """Keep the box."""
        self.box, self.task = box, task
        self.alive = True
        self.spent = 0.0  # processor seconds of its process, once it has ended
        self.recorded = ""  # the function recorded last, if not the task's: repairs are of it

    def plain(self, arguments: tuple[Argument, ...]) -> Outcome | None:
        """The outcome of a plain call."""
        data = self._ask(CASE, RESULT, case_payload(arguments))
        try:
            return None if data is None else read_result(data, self.task.returns, len(arguments), LIMITS.result)
        except (Violation, struct.error):
            self.alive = False
            return None

    def run(
        self, arguments: tuple[Argument, ...], function: str = "", returns: int = 0, *, watches: bool = False
    ) -> Recording | None:
        """A recorded call of the function, or of another one of the file; `watches` when its arguments change."""
        returns, self.recorded = returns or self.task.returns, function
        name = function.encode("utf-8")
        head = struct.pack("<I", len(name)) + name + bytes([returns, watches])
        data = self._ask(RECORD, RECORDED, head + case_payload(arguments))
        try:
            return None if data is None else _recording(data, returns)
        except (Violation, struct.error):
            self.alive = False
            return None

    def repair(self, repairs: Sequence[Repair], returns: int = 0) -> list[tuple[Array, ...] | None]:
        """What the recorded call gives with each repair; nothing where it did not return."""
        data = self._ask(REPAIR, REPAIRED, struct.pack("<H", len(repairs)) + b"".join(map(_repair, repairs)))
        try:
            return [None] * len(repairs) if data is None else _results(data, len(repairs), returns or self.task.returns)
        except (Violation, struct.error):
            self.alive = False
            return [None] * len(repairs)

    def load(self, folder: str) -> None:
        """Load the file."""
        self.alive = self._ask(LOAD, LOADED, job_payload(self.task, folder, self.task.limits.cpu)) is not None

    def _ask(self, tag: int, expected: int, payload: bytes) -> bytes | None:
        if not self.alive:
            return None
        try:
            answered, data = self.box.ask(tag, expected, payload, CAP, self.task.limits.wall + LATE - GRACE)
            if answered == ENDED:
                self.alive = read_report(data).ending != "timeout"
                return None
        except (Violation, TimeUp, Gone):
            self.alive = False
            return None
        return data


@contextlib.contextmanager
def record(  # noqa: PLR0913, PLR0917 - what there is to say about a run
    kind: Kind, source: str, path: Path, function: str, returns: int, limits: Limits = LIMITS
) -> Iterator[Tape]:
    """One submission in a box of its own, loaded. Errors: `ServerGone`."""
    box = kind.box()
    try:
        with kind.folder() as folder:
            tape = Tape(box, Task(source, path.name, function, (), returns, limits))
            tape.load(folder)
            yield tape
            tape.spent = box.end().cpu
    finally:
        box.close()


def _repair(repair: Repair) -> bytes:
    parts = [struct.pack("<H", len(repair))]
    for one in repair:
        parts.append(struct.pack("<HIB", one.site, one.occurrence, len(one.values) if one.several else 0))
        parts += [argument_bytes(value) for value in one.values]
    return b"".join(parts)


def _results(data: bytes, count: int, returns: int) -> list[tuple[Array, ...] | None]:
    reader = Untrusted(data)
    results: list[tuple[Array, ...] | None] = []
    for _ in range(count):
        (size,) = reader.fields("<I")
        results.append(_result(reader.take(size), returns))
    reader.end()
    return results


def _result(data: bytes, returns: int) -> tuple[Array, ...] | None:
    if not data:
        return None
    reader = Untrusted(data)
    reader.byte(returns, returns)
    return tuple(read_array(reader, LIMITS.result) for _ in range(returns))


def _recording(data: bytes, returns: int) -> Recording:
    reader = Untrusted(data)
    functions = tuple(reader.text(MAX_NAME) for _ in range(*reader.fields("<H")))
    (count,) = reader.fields("<H")
    if count > MAX_SITES:
        raise Violation
    sites = tuple(_site(reader, len(functions), count) for _ in range(count))
    (count,) = reader.fields("<I")
    if count > MAX_ENTRIES:
        raise Violation
    calls = tuple(_call(reader, len(functions), place) for place in range(count))
    (count,) = reader.fields("<I")
    if count > MAX_ENTRIES:
        raise Violation
    entries = tuple(_entry(reader, len(calls), len(sites)) for _ in range(count))
    (changed_at,) = reader.fields("<i")
    (size,) = reader.fields("<I")
    values = _result(reader.take(size), returns)
    if values is None or not -1 <= changed_at < len(sites):
        raise Violation
    reader.end()
    return Recording(functions, sites, calls, entries, Outcome("returned", values), changed_at)


def _site(reader: Untrusted, functions: int, sites: int) -> Site:
    numbers = reader.fields("<BBHiiiii")
    if numbers[2] >= functions or not -1 <= numbers[3] < sites:
        raise Violation
    return Site(*numbers, *(reader.text(MAX_NAME) for _ in range(3)))


def _call(reader: Untrusted, functions: int, place: int) -> Call:
    function, parent, start, end = reader.fields("<HIII")
    if function >= functions or parent > place:
        raise Violation
    return Call(function, parent, start, end, tuple(_value(reader) for _ in range(reader.byte(0, 16))))


def _entry(reader: Untrusted, calls: int, sites: int) -> Entry:
    order, call, site, occurrence, thing = reader.fields("<IIHII")
    if call >= calls or site >= sites or order >= MAX_ENTRIES:
        raise Violation
    return Entry(order, call, site, occurrence, thing, _value(reader))


def _value(reader: Untrusted, *, inner: bool = False) -> Value:
    kind = reader.byte(NOTHING, NONE)
    if kind in {NOTHING, NONE}:
        return Value(kind)
    if kind == TUPLE:
        if inner:
            raise Violation
        return Value(kind, tuple(_value(reader, inner=True) for _ in range(reader.byte(0, 4))))
    return Value(kind, (read_array(reader, CAP),))
