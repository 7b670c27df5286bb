"""Runs the function of a submission with every value on the way recorded, or with some of them replaced.

`record` gives all values of one call; `repair` calls again and again, each time with other values put in the place of
what the submission computed, and gives what came back. The file is executed afresh each time, so that nothing is left
over from the run before. What the values mean is the grader's to find out; nothing of it is known here.
"""

import ast
import random
import struct
import sys
import types
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from . import rewrite
from .reports import Stop
from .submission import Job, find
from .values import _portable, read_argument, result_bytes
from .wire import MAX_NAME, Reader, array_bytes, short_text

NOTHING, ARRAY, SCALAR, LISTED, TUPLE, NONE = range(6)
MAX_ENTRIES = 30_000
MAX_BYTES = 8 * 1024 * 1024
MAX_SIZE = 1 << 15  # elements of one value that is recorded
MAX_PARTS = 4
EVERY, MOVED, COPIED = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
MAX_HITS = 5000  # of a value that is replaced every time: a loop may have no end then

# Kept from before the submission runs: it may replace them.
_asarray, _copyto, _ndarray, _generic, _matrix = np.asarray, np.copyto, np.ndarray, np.generic, np.matrix
_seed_python, _seed_numpy = random.seed, np.random.seed
_asmatrix, _errstate, _integer = np.asmatrix, np.errstate, np.integer


class Entry(NamedTuple):
    """One value seen: in which call, at which site, for the how-manieth time there; which object, and its bytes."""

    frame: int
    site: int
    occurrence: int
    thing: int
    data: bytes


class Recorder:
    """One submission, rewritten."""

    def __init__(self, job: Job) -> None:
        """Rewrite and compile the file. Errors: `Stop` if it is too large to be rewritten."""
        self.job = job
        tree = ast.parse(job.source, job.name)
        try:
            self.rewriter = rewrite.rewritten(tree)
            self.code = compile(tree, job.name, "exec", dont_inherit=True)
        except (OverflowError, RecursionError, ValueError, TypeError):
            raise Stop("exception", "not-recorded") from None
        self.function, self.returns, self.arguments = job.function, job.returns, b""

    def record(self, payload: bytes) -> bytes:
        """Call a function once and tell all: the sites, the calls, the values, the result."""
        reader = Reader(payload)
        self.function = reader.text() or self.job.function
        self.returns, watches = reader.take(2)
        self.arguments = payload[reader.at :]
        tape = Tape(watches=bool(watches))
        result = self._call(tape)
        return b"".join([self._sites(), tape.bytes(), struct.pack("<I", len(result)), result])

    def repair(self, payload: bytes) -> bytes:
        """Call once for each repair; what each gave, or nothing if it did not return."""
        reader, results = Reader(payload), []
        (count,) = reader.fields(struct.Struct("<H"))
        for _ in range(count):
            try:
                result = self._call(Patch(reader))
            except (Stop, Exception):  # noqa: BLE001 - with a value replaced, anything may go wrong
                result = b""
            results.append(struct.pack("<I", len(result)) + result)
        return b"".join(results)

    def _call(self, hooks: "Tape | Patch") -> bytes:
        """Execute the file and call its function, as `submission.call` does."""
        module = types.ModuleType("submission")
        module.__file__ = self.job.name
        module.__dict__.update(hooks.hooks())
        sys.modules["submission"] = module
        _seed_python(0)
        _seed_numpy(0)
        exec(self.code, module.__dict__)  # noqa: S102 - running it is what this process is for
        function = find(module, self.function)
        reader = Reader(self.arguments)
        arguments = [read_argument(reader).value for _ in range(reader.take(1)[0])]
        hooks.watch(arguments)
        _seed_python(0)
        _seed_numpy(0)
        hooks.running = True
        result = function(*arguments)
        hooks.running = False
        return result_bytes(result, self.returns, self.job.result)

    def _sites(self) -> bytes:
        parts = [struct.pack("<H", len(self.rewriter.functions))]
        parts += [short_text(name, MAX_NAME) for name in self.rewriter.functions]
        parts.append(struct.pack("<H", len(self.rewriter.sites)))
        for site in self.rewriter.sites:
            parts.append(SITE.pack(*site[:8]))
            parts += [short_text(text, MAX_NAME) for text in site[8:]]
        return b"".join(parts)


SITE = struct.Struct("<BBHiiiii")
ENTRY = struct.Struct("<IHII")


class Tape:
    """Keeps every value that it is shown."""

    def __init__(self, *, watches: bool = False) -> None:
        """Nothing seen yet; call 0 is the module itself. `watches`: look when the arguments change, too."""
        self.watches = watches
        self.watched: list[tuple[Any, bytes]] = []
        self.changed_at = -1
        self.entries: list[Entry | None] = []
        self.calls: list[list[Any]] = [[0, 0, 0, 0, b"\0"]]
        self.stack = [0]
        self.counts: Counter[int] = Counter()
        self.last: dict[tuple[int, int], int] = {}
        self.kept: list[Any] = []
        self.things: dict[int, int] = {}
        self.size = 0
        self.running = False

    def hooks(self) -> dict[str, Any]:
        """What the rewritten file calls."""
        return {
            rewrite.VALUE: self.value,
            rewrite.MODULE_VALUE: self.module_value,
            rewrite.QUIET: lambda _site, value: value,
            rewrite.PLACED: self.placed,
            rewrite.ENTER: self.enter,
            rewrite.LEAVE: self.leave,
            rewrite.RESULT: self.result,
        }

    def value(self, site: int, value: Any) -> Any:
        """See a value go by."""
        if self.running:
            self.keep(site, value)
        return value

    def module_value(self, site: int, value: Any) -> Any:
        """See a value of the module itself, before anything is called."""
        self.keep(site, value)
        return value

    def placed(self, site: int, value: Any) -> None:
        """See something that was changed in its place; only its last state at this site counts."""
        if not self.running:
            return
        thing = self.things.setdefault(id(value), len(self.kept))
        if thing == len(self.kept):
            self.kept.append(value)  # alive, so that its id stays its own
        before = self.last.get((site, thing))
        if before is not None:
            self.entries[before] = None
        self.last[site, thing] = len(self.entries)
        self.keep(site, value, thing + 1)

    def keep(self, site: int, value: Any, thing: int = 0) -> None:
        """Note a value as it is now."""
        count = self.counts[site]
        self.counts[site] = count + 1
        data = encoded(value)
        self.size += len(data)
        if len(self.entries) >= MAX_ENTRIES or self.size > MAX_BYTES:
            raise Stop("exception", "not-recorded")
        self.entries.append(Entry(self.stack[-1], site, count, thing, data))
        if self.watched and any(array.tobytes() != before for array, before in self.watched):
            self.changed_at, self.watched = site, []

    def watch(self, arguments: list[Any]) -> None:
        """Remember what the function is given."""
        if self.watches:
            self.watched = [(one, one.tobytes()) for one in arguments if isinstance(one, _ndarray)]

    def enter(self, function: int, arguments: tuple[Any, ...]) -> None:
        """See a function called."""
        if not self.running:
            return
        data = bytes([min(len(arguments), 16)]) + b"".join(encoded(one) for one in arguments[:16])
        self.size += len(data)
        self.calls.append([function, self.stack[-1], len(self.entries), 0, data])
        self.stack.append(len(self.calls) - 1)

    def leave(self, _function: int, _value: Any) -> None:
        """See it left."""
        if self.running and len(self.stack) > 1:
            self.calls[self.stack.pop()][3] = len(self.entries)

    def result(self, function: int, value: Any) -> Any:
        """See a lambda left, with what it gave."""
        self.leave(function, value)
        return value

    def bytes(self) -> bytes:
        """The calls and the values."""
        parts = [struct.pack("<I", len(self.calls))]
        for function, parent, start, end, data in self.calls:
            parts += [struct.pack("<HIII", function, parent, start, end), data]
        entries = [(place, entry) for place, entry in enumerate(self.entries) if entry is not None]
        parts.append(struct.pack("<I", len(entries)))
        for place, entry in entries:
            parts += [struct.pack("<I", place), ENTRY.pack(*entry[:4]), entry.data]
        parts.append(struct.pack("<i", self.changed_at))
        return b"".join(parts)


class Patch:
    """Puts other values in the place of some."""

    def __init__(self, reader: Reader) -> None:
        """Read one repair: sites, and for each the occurrences and their values."""
        self.plan: dict[int, dict[int, tuple[int, list[Any]]]] = {}
        self.hits = 0
        self.counts: Counter[int] = Counter()
        self.running = False
        (count,) = reader.fields(struct.Struct("<H"))
        for _ in range(count):
            site, occurrence, parts = reader.fields(struct.Struct("<HIB"))
            values = [read_argument(reader).value for _ in range(max(1, parts))]
            self.plan.setdefault(site, {})[occurrence] = (parts, values)

    def hooks(self) -> dict[str, Any]:
        """What the rewritten file calls."""
        return {
            rewrite.VALUE: self.value,
            rewrite.MODULE_VALUE: self.module_value,
            rewrite.QUIET: self.value,
            rewrite.PLACED: self.placed,
            rewrite.ENTER: lambda _function, _arguments: None,
            rewrite.LEAVE: lambda _function, _value: None,
            rewrite.RESULT: lambda _function, value: value,
        }

    def watch(self, arguments: list[Any]) -> None:
        """Nothing is watched."""

    def value(self, site: int, value: Any) -> Any:
        """The value, or another one in its place."""
        return self.module_value(site, value) if self.running else value

    def module_value(self, site: int, value: Any) -> Any:
        """Likewise, for the module itself."""
        plan = self.plan.get(site)
        if plan is not None and not plan.keys().isdisjoint({EVERY, MOVED, COPIED}):
            return self.always(value, plan)
        new = self.planned(site)
        return value if new is None else _like(value, *new)

    def always(self, value: Any, plan: dict[int, tuple[int, list[Any]]]) -> Any:
        """Another value every time, this one so much larger, or a copy. Errors: `Stop` if there is no end to it."""
        self.hits += 1
        if self.hits > MAX_HITS:
            raise Stop("exception", "not-recorded")
        if EVERY in plan:
            return _like(value, *plan[EVERY])
        if COPIED in plan:
            return value.copy() if isinstance(value, (list, _ndarray)) else value
        return value + plan[MOVED][1][0] if isinstance(value, (int, _integer)) else value

    def placed(self, site: int, value: Any) -> None:
        """Write another value into what was changed in its place."""
        new = self.planned(site) if self.running else None
        if new is None:
            return
        if isinstance(value, _ndarray):
            _copyto(value, new[1][0].reshape(value.shape), casting="unsafe")
        elif isinstance(value, list):
            value[:] = _like(value, *new)

    def planned(self, site: int) -> tuple[int, list[Any]] | None:
        """What is to be put at this site now, if anything."""
        plan = self.plan.get(site)
        if plan is None:
            return None
        count = self.counts[site]
        self.counts[site] = count + 1
        return plan.get(count)


def encoded(value: Any) -> bytes:
    """A value as bytes: what kind of thing it is, and its numbers; a range or slice as its beginning, end and step."""
    if type(value) in {range, slice}:
        value = (value.start, value.stop, value.step)
    if isinstance(value, tuple):
        parts = value[:MAX_PARTS]
        return bytes([TUPLE, len(parts)]) + b"".join(b"\0" if isinstance(one, tuple) else encoded(one) for one in parts)
    if value is None:
        return bytes([NONE])
    kind = _kind(value)
    if kind == NOTHING:
        return b"\0"
    try:
        with _errstate(all="ignore"):
            array = _asarray(value)
        if array.dtype.kind not in "biufc" or array.size > MAX_SIZE or array.ndim > 6:  # noqa: PLR2004
            return b"\0"
        return bytes([kind]) + array_bytes(_portable(array))
    except Exception:  # noqa: BLE001 - ragged, or with ideas of its own
        return b"\0"


def _kind(value: Any) -> int:
    if isinstance(value, _ndarray):
        return ARRAY
    if isinstance(value, (bool, int, float, complex, _generic)):
        return SCALAR
    return LISTED if isinstance(value, list) else NOTHING


def _like(old: Any, parts: int, new: list[Any]) -> Any:
    """New values in the kind of thing that the old one was."""
    if parts:
        return slice(*new) if isinstance(old, slice) else tuple(new)
    array = new[0]
    if not isinstance(array, _ndarray):  # an integer
        return array
    if isinstance(old, _matrix):
        return _asmatrix(array)
    if isinstance(old, (list, range)):
        return list(array) if old and isinstance(old[0], _ndarray) else array.tolist()
    if isinstance(old, float) and array.ndim == 0:
        return array[()]
    return array
