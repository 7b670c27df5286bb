"""Work of one kind shared by several processes: each answers one task at a time, and is replaced when it dies.

    with Pool("grader.course.run:working", setup, jobs=4) as pool:
        for result in pool.map(tasks): ...

The target is called with the setup, once in each process, and gives a context in which tasks are done. Results come in
the order of the tasks, and no more tasks are under way than there is use for. A task whose process died, or that failed
through a fault of ours, is done once more in a fresh process; if that fails too its result is the fault.
"""

import contextlib
import importlib
import os
import pickle
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Any, Self

from grader.errors import GradeError
from grader.sandbox.inside import namespaces

OURS = GradeError.exit_code
TRIES = 2
_LENGTH = struct.Struct("<Q")
_COMMAND = "from grader.sandbox.pool import serve; serve()"


class Pool:
    """Some processes that do tasks."""

    def __init__(self, target: str, setup: Any, jobs: int) -> None:
        """Start them; `target` is a function by its module and name, and `setup` is what it is called with."""
        self._order = (target, setup, os.getpid())
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._workers: set[_Worker] = set()
        self._threads = ThreadPoolExecutor(jobs)
        self._ahead, self._closed = 2 * jobs, False
        try:
            for place in range(jobs):
                self._idle.put(self._fresh(place))
        except BaseException:
            self._end_all()
            raise

    def __enter__(self) -> Self:
        """The pool itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End every process, whatever it is doing."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._end_all()
        self._threads.shutdown()
        self._end_all()  # one that was being replaced meanwhile

    def map(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """The results in order: what the work gave, or the `GradeError` that kept it from being done."""
        waiting: deque[Future[Any]] = deque()
        for task in tasks:
            waiting.append(self._threads.submit(self._do, task))
            if len(waiting) >= self._ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _end_all(self) -> None:
        for worker in list(self._workers):
            worker.end()

    def _fresh(self, place: int) -> "_Worker":
        worker = _Worker(self._order, place)
        self._workers.add(worker)
        return worker

    def _do(self, task: Any) -> Any:
        result: Any = None
        for _ in range(TRIES):
            worker = self._idle.get()
            result = worker.do(task)
            failed = isinstance(result, GradeError) and result.exit_code == OURS and not self._closed
            if failed:
                self._workers.discard(worker)
                worker.end()
            self._idle.put(self._fresh(worker.place) if failed else worker)
            if not failed:
                break
        return result


class _Worker:
    """One process, seen from here."""

    def __init__(self, order: Any, place: int) -> None:
        self.place = place
        path = [str(Path(__file__).parents[2]), *filter(None, sys.path)]
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-P", "-c", _COMMAND],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONSAFEPATH": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the grader, which then ends this one
        )
        assert self.process.stdin is not None  # noqa: S101 - for the type checker
        assert self.process.stdout is not None  # noqa: S101 - as above
        self.sends, self.hears = self.process.stdin, self.process.stdout
        with contextlib.suppress(OSError):  # it has died already; the first task tells
            _send(self.sends, (*order, place))

    def do(self, task: Any) -> Any:
        """What came of a task; if the process died, a fault of ours."""
        try:
            _send(self.sends, task)
            return _receive(self.hears)
        except (OSError, EOFError, ValueError):
            return GradeError("worker-failed", detail=str(self.process.poll()))

    def end(self) -> None:
        """End it at once; what it started ends with it."""
        self.process.kill()
        self.process.wait()
        for stream in (self.sends, self.hears):
            with contextlib.suppress(OSError):
                stream.close()


def serve() -> None:
    """Be one of the processes: do what comes in until nothing more does, or nobody is there to hear."""
    hears, sends = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what is printed must not disturb the answers
    incoming = _incoming(hears)
    order = next(incoming, None)
    if order is None:  # the grader has ended while this was being loaded
        return
    target, setup, parent, place = order
    namespaces.end_with_parent()
    _keep_to_one_processor(place)
    if os.name == "posix" and os.getppid() != parent:
        return
    module, _, name = target.partition(":")
    with getattr(importlib.import_module(module), name)(setup) as work, contextlib.suppress(OSError):
        for task in incoming:
            _send(sends, _result(work, task))


def _incoming(stream: IO[bytes]) -> Iterator[Any]:
    """What comes in, until nothing more does."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            yield _receive(stream)


def _keep_to_one_processor(place: int) -> None:
    """Where that can be told: a worker, its server and a submission wait for each other and never run at once."""
    if sys.platform == "linux":
        processors = sorted(os.sched_getaffinity(0))
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {processors[place % len(processors)]})


def _result(work: Any, task: Any) -> Any:
    """What came of the work, in a form that can be sent."""
    try:
        result = work(task)
        pickle.dumps(result)
    except GradeError as fault:
        return fault
    except Exception as fault:  # noqa: BLE001 - whatever it is, it is ours, and it is told
        return GradeError("worker-failed", detail=f"{type(fault).__name__}: {fault}")
    return result


def _send(stream: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:
    """The next value. It comes from our own process, never from a submission."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (size,) = _LENGTH.unpack(head)
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - as above
