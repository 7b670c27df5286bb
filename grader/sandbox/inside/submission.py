"""One submission: compile and run its file, find its function, call it."""

import linecache
import random
import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np

from . import reports
from .reports import Stop, type_name
from .values import read_argument, result_bytes
from .wire import JOB, Reader

Function = Callable[..., Any]

# Kept from before the submission runs: it may replace them.
_seed_python, _seed_numpy = random.seed, np.random.seed


class Job(NamedTuple):
    """What is to be run: the file, the function, how many values it returns, and the limits."""

    name: str
    function: str
    folder: str
    source: str
    returns: int
    wall: float
    cpu: float
    memory: int
    output: int
    result: int

    @classmethod
    def read(cls, payload: bytes) -> "Job":
        """The job of a load frame."""
        reader = Reader(payload)
        name, function, folder, source = (reader.text() for _ in range(4))
        return cls(name, function, folder, source.removeprefix("\ufeff"), *reader.fields(JOB))

    @property
    def lines(self) -> list[str]:
        """The lines of the file, counted as Python counts them."""
        return self.source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def load(job: Job) -> Function:
    """Run the file as a module of its own and find the function."""
    linecache.cache[job.name] = (len(job.source), None, [line + "\n" for line in job.lines], job.name)
    code = compile_file(job)
    module = types.ModuleType("submission")
    module.__file__ = job.name
    sys.modules["submission"] = module
    exec(code, module.__dict__)  # noqa: S102 - running it is what this process is for
    return find(module, job.function)


def compile_file(job: Job) -> types.CodeType:
    """The code of the file; `Stop` with the line if it is no Python."""
    try:
        return compile(job.source, job.name, "exec", dont_inherit=True)
    except SyntaxError as error:
        at = [reports.line_at(error.lineno, "", job.lines)] if error.lineno else []
        raise Stop("syntax-error", type_name(type(error)), str(error.msg), lines=at) from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise Stop("syntax-error", type_name(type(error)), reports.text_of(error)) from None


def find(module: types.ModuleType, name: str) -> Function:
    """The function by its name; of a class whose objects can be called, an object."""
    if name not in module.__dict__:
        raise Stop("missing-function", near=_nearest(module, name))
    found = module.__dict__[name]
    if isinstance(found, type) and "__call__" in found.__dict__:
        found = found()
    if not callable(found):
        raise Stop("missing-function", "not-callable", type_name(type(found)))
    return cast("Function", found)


def _nearest(module: types.ModuleType, name: str) -> str:
    """What was probably meant: the same name but for case, also as a method; a near one; or the only one."""
    from difflib import get_close_matches  # noqa: PLC0415 - only this rare report needs it

    own = {key: value for key, value in module.__dict__.items() if getattr(value, "__module__", "") == "submission"}
    names = [key for key, value in own.items() if callable(value)]
    methods = [f"{key}.{part}" for key, value in own.items() if isinstance(value, type) for part in value.__dict__]
    alike = {_folded(each): each for each in (*methods, *names)}.get(_folded(name))
    return alike or next(iter(get_close_matches(name, names, 1)), names[0] if len(names) == 1 else "")


def _folded(name: str) -> str:
    return name.rpartition(".")[2].lower().replace("_", "")


def call(function: Function, payload: bytes, job: Job) -> bytes:
    """Call the function on one case's arguments, by position; the payload of its result."""
    reader = Reader(payload)
    arguments = [read_argument(reader) for _ in range(reader.take(1)[0])]
    _seed_python(0)
    _seed_numpy(0)
    try:
        result = function(*(argument.value for argument in arguments))
    except TypeError as error:
        if isinstance(function, type) and not reports.own_lines(error.__traceback__, job.name, job.lines)[0]:
            raise Stop("missing-function", "class", reports.text_of(error)) from None  # made with other parameters
        raise
    data = result_bytes(result, job.returns, job.result)
    changed = bytes(index for index, argument in enumerate(arguments) if argument.changed())
    return bytes([len(changed)]) + changed + data
