"""Runs the functions of a submission, case by case, and tells what each case gave. This is the door.

    with Runner() as runner:
        runner.start()                                      # no waiting: read worksheets meanwhile
        outcomes = runner.run(source, path, "softmax", cases, returns=1)
        runner.isolation                                    # "seccomp+landlock+namespaces", or what there is

The submission runs in a process of its own that never holds an expected value: it gets the arguments of one case, by
position and as its own copies, and only when it has answered the case before. What comes back is checked byte by byte
(`replies.py`). A case that crashes or is killed costs that case; the rest run in a fresh process.

Where all cases gave a result the first one is asked again. Another answer than before means that calls leave something
behind, or that the answer is left to chance; a fresh process tells which, and the first outcome says so.

Time is bounded. A case, and loading the file, may each take `limits.wall`; after two of them ran out of time, or after
`limits.cpu + 2 * limits.wall` in all, the remaining cases are not run and end as timeouts too.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol, Self

import numpy as np

from grader.errors import GradeError
from grader.model import Limits, Outcome
from grader.sandbox import endings, proof, recorded
from grader.sandbox.ahead import FORKS
from grader.sandbox.box import Box, Death, Gone, Kind, ServerGone, TimeUp
from grader.sandbox.command import Setting
from grader.sandbox.forked import Server
from grader.sandbox.inside.wire import CASE, ENDED, LOAD, LOADED, RESULT
from grader.sandbox.replies import (
    MAX_HEAD,
    Argument,
    Task,
    Violation,
    case_payload,
    job_payload,
    read_report,
    read_result,
)
from grader.sandbox.spawned import Spawner

__all__ = ["Argument", "Refused", "Runner", "Setting", "Way", "run"]


class Ask(Protocol):
    """Runs a submission on cases; `alone`, each in a fresh process, the last of which what is asked then goes on in."""

    def __call__(self, cases: Sequence[tuple[Argument, ...]], /, *, alone: bool = False) -> tuple[Outcome, ...]:
        """One outcome for each case."""
        ...


STRIKES = 2
PROTOCOL = "protocol"
LOADED_WELL = Outcome("returned")
DYING = 0.5  # seconds for a process that closed its end to end by itself, so that we learn how


class Way(NamedTuple):
    """How submissions are run: modules allowed beside NumPy, whether they are strangers', a process for each case."""

    modules: tuple[str, ...] = ()
    strangers: bool = False
    per_case: bool = False


class Refused(GradeError):
    """Strangers' code is not run here: no wall holds it."""

    exit_code = 2


def run(  # noqa: PLR0913, PLR0917 - what there is to say about a run
    source: str,
    path: Path,
    function: str,
    cases: Sequence[tuple[Argument, ...]],
    returns: int,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> tuple[Outcome, ...]:
    """Run one submission in a server of its own; for several, keep a `Runner`. Errors: as `Runner.run`."""
    with Runner() as runner:
        return runner.run(source, path, function, cases, returns, limits)


class Runner:
    """Runs submissions one after the other. Not to be shared between threads: give each its own."""

    def __init__(self, setting: Setting = Setting(), *, forks: bool = FORKS, strangers: bool = False) -> None:  # noqa: B008
        """Nothing is started yet; `forks` chooses the way processes are made ready.

        For code of `strangers` the box must stand: it is tried before the first run.
        """
        self._setting, self._forks, self._strangers = setting, forks, strangers
        self._kind = self._new()
        self._tried = False

    def _new(self) -> Kind:
        return (Server if self._forks else Spawner)(self._setting)

    @property
    def isolation(self) -> str:
        """What holds a submission here: the walls that stand, or `limits`, or `process` where there are not even those.

        Errors: `GradeError` when our own server does not start.
        """
        try:
            return self._kind.isolation
        except ServerGone as error:
            self.close()
            raise GradeError("sandbox-failed", detail=str(error)) from error

    def __enter__(self) -> Self:
        """The runner itself; nothing is started yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End every process, whatever happened."""
        self.close()

    def start(self) -> None:
        """Begin to start the server and return at once. A failure shows when something is run."""
        try:
            self._kind.start()
        except ServerGone:
            self.close()

    def close(self) -> None:
        """End every process. The runner can be used again."""
        self._kind.close()
        self._kind = self._new()
        self._tried = False

    def require(self) -> None:
        """See that code of strangers is held, by trying to break out. Errors: `Refused`."""
        if not self._strangers or self._tried:
            return
        if "seccomp" not in self.isolation:
            raise Refused("no-box", isolation=self.isolation)
        self._tried = True
        if escapes := proof.escapes(self.attempt(proof.task())):
            raise Refused("box-leaks", escapes=", ".join(escapes))

    def run(  # noqa: PLR0913, PLR0917 - what there is to say about a run
        self,
        source: str,
        path: Path,
        function: str,
        cases: Sequence[tuple[Argument, ...]],
        returns: int,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        *,
        per_case: bool = False,
    ) -> tuple[Outcome, ...]:
        """One outcome for each case. The file is loaded once for all of them, or anew for each.

        Errors: `GradeError` when our own server fails twice; that is never the submission's fault. `Refused`.
        """
        with self.hold(source, path, function, returns, limits, per_case=per_case) as ask:
            return ask(cases)

    @contextmanager
    def hold(  # noqa: PLR0913 - as above
        self,
        source: str,
        path: Path,
        function: str,
        returns: int,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        *,
        per_case: bool = False,
    ) -> Iterator[Ask]:
        """Runs one submission on cases as often as asked, in one process while it lasts. Errors: as `run`."""
        self.require()
        task = Task(source, path.name, function, (), returns, limits, self._setting.modules)
        with self._holding(task, per_case=per_case) as ask:
            yield ask

    def attempt(self, task: Task) -> Outcome:
        """The outcome of a task of our own, with one case."""
        with self._holding(task) as ask:
            return ask(task.cases)[0]

    @contextmanager
    def _holding(self, task: Task, *, per_case: bool = False) -> Iterator[Ask]:
        session = _Session(self._kind, task, per_case=per_case)

        def ask(cases: Sequence[tuple[Argument, ...]], /, *, alone: bool = False) -> tuple[Outcome, ...]:
            nonlocal session
            try:
                return session.run(cases, alone=alone)
            except ServerGone:
                session.close()
                self.close()
                session = _Session(self._kind, task, per_case=per_case)
                return session.run(cases, alone=alone)

        with self._kept_whole():
            try:
                yield ask
                if not session.end():
                    self.close()
            finally:
                session.close()

    @contextmanager
    def _kept_whole(self) -> Iterator[None]:
        """Leave no process behind when something breaks, Ctrl-C too. Errors: `GradeError` for our own server."""
        try:
            yield
        except ServerGone as error:
            self.close()
            raise GradeError("sandbox-failed", detail=str(error)) from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def record(
        self, source: str, path: Path, function: str, returns: int, limits: Limits = recorded.LIMITS
    ) -> Iterator[recorded.Tape]:
        """A box of its own in which a submission runs with every value on the way recorded (see `recorded.py`).

        Errors: `GradeError` when our own server fails.
        """
        self.require()
        with self._kept_whole(), recorded.record(self._kind, source, path, function, returns, limits) as tape:
            yield tape


class WallsDown(ServerGone):
    """A process says that it has ended before its walls were up. Nothing that seems to come from it is believed."""


class _Session:
    """One submission, through as many processes as it needs; what one batch of cases leaves, the next goes on with."""

    def __init__(self, kind: Kind, task: Task, *, per_case: bool) -> None:
        self.kind, self.task, self.limits, self.per_case = kind, task, task.limits, per_case
        self.box: Box | None = None
        self.strikes, self.cpu, self.loads = 0, 0.0, 0
        self.allowed = self.limits.cpu  # processor seconds of the process that runs
        self.until = 0.0
        self.open = ExitStack()
        self.folder: str | None = None

    def run(self, cases: Sequence[tuple[Argument, ...]], *, alone: bool = False) -> tuple[Outcome, ...]:
        """The outcomes of a batch of cases. Whether results are steady is looked at once, in the first batch."""
        first = self.folder is None
        folder = self.folder = self.open.enter_context(self.kind.folder()) if self.folder is None else self.folder
        self.strikes, self.until = 0, time.monotonic() + self.limits.cpu + STRIKES * self.limits.wall
        outcomes = self._cases(cases, folder, alone=alone or self.per_case)
        if first and not self.per_case and all(outcome.ending == "returned" for outcome in outcomes[1:]):
            outcomes[:1] = [self._repeated(outcome, cases, folder) for outcome in outcomes[:1]]
        return (*outcomes, *outcomes[-1:] * (len(cases) - len(outcomes)))

    def end(self) -> bool:
        """Let the process end. What it has answered stands, even if the server is no longer there; whether it is."""
        try:
            self._end()
        except WallsDown:
            raise
        except ServerGone:
            return False
        return True

    def close(self) -> None:
        """Put everything away, whatever happened."""
        self._forget()
        self.open.close()

    def _cases(self, cases: Sequence[tuple[Argument, ...]], folder: str, *, alone: bool) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for arguments in cases:
            if alone:
                self._anew()
            outcome, for_all = self._case(arguments, folder)
            outcomes.append(outcome)
            if for_all:
                break
        return outcomes

    def _anew(self) -> None:
        """What is asked next goes to a fresh process."""
        self._end()
        self._forget()

    def _repeated(self, first: Outcome, cases: Sequence[tuple[Argument, ...]], folder: str) -> Outcome:
        """The first outcome, with a word if the same call now gives another one."""
        if len(cases) == 1 or first.ending != "returned" or _same(self._case(cases[0], folder)[0], first):
            return first
        self._anew()
        alone = _same(self._case(cases[0], folder)[0], first)
        return replace(first, unsteady="depends-on-earlier-calls" if alone else "not-deterministic")

    def _case(self, arguments: tuple[Argument, ...], folder: str) -> tuple[Outcome, bool]:
        """The outcome of a case, and whether it is that of all that follow too."""
        if self.strikes == STRIKES or time.monotonic() > self.until:
            return Outcome("timeout", error="not-run", limit=self.limits.wall), True
        if self.box is None:
            loaded = self._load(folder)
            if loaded.ending != "returned":
                return loaded, True
        return self._ask(CASE, RESULT, case_payload(arguments), len(arguments)), False

    def _load(self, folder: str) -> Outcome:
        """Load the file in a fresh process; what it prints then is shown with the first case, once."""
        self.box = self.kind.box()
        self.allowed = max(1.0, self.limits.cpu - self.cpu)
        job = job_payload(self.task, folder, self.allowed)
        outcome = self._ask(LOAD, LOADED, job, 0)
        self.loads += 1
        return outcome

    def _ask(self, tag: int, expected: int, payload: bytes, arguments: int) -> Outcome:
        """What the process says to a frame, or how it ended over it; a process that is no use is put away."""
        box = self.box
        assert box is not None  # noqa: S101 - for the type checker
        outcome = self._answer(box, tag, expected, payload, arguments)
        over = outcome is None or outcome.ending == "timeout" or outcome.error == PROTOCOL
        death = self._end(DYING if outcome is None else 0.0) if over else None
        if outcome is None:
            outcome = endings.died(death, replace(self.limits, cpu=self.allowed))
        self.strikes += outcome.ending == "timeout"
        outcome = endings.limited(outcome, self.limits, self.task.returns)
        if outcome.ending == "import-error":
            outcome = replace(outcome, allowed=self.task.modules)
        if outcome.ending != "returned" or expected != LOADED or self.loads:
            printed = box.printed(self.limits.output)
            outcome = replace(outcome, output=printed) if printed else outcome
        if over:
            self._forget()
        return outcome

    def _answer(self, box: Box, tag: int, expected: int, payload: bytes, arguments: int) -> Outcome | None:
        """The answer read; nothing if the process has closed its end."""
        limit = self.limits.result
        try:
            answered, data = box.ask(tag, expected, payload, limit + MAX_HEAD, self.limits.wall)
            if answered == ENDED:
                return read_report(data)
            return read_result(data, self.task.returns, arguments, limit) if expected == RESULT else LOADED_WELL
        except Violation:
            return Outcome("wrong-return", error=PROTOCOL)
        except TimeUp:
            return Outcome("timeout", error="wall")
        except Gone:
            return None

    def _end(self, grace: float = 0.0) -> Death | None:
        """End the process, if there is one, and count what it used."""
        if self.box is None:
            return None
        death = self.box.end(grace)
        self.cpu += death.cpu
        if not death.ready:
            raise WallsDown("the walls did not go up")
        return death

    def _forget(self) -> None:
        if self.box is not None:
            self.box.close()
        self.box = None


def _same(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes hold the same arrays. The last digits may differ: libraries add in an order of their own."""
    return one.ending == other.ending == "returned" and all(
        a.dtype == b.dtype
        and a.shape == b.shape
        and (a.tobytes() == b.tobytes() or np.allclose(a, b, 1e-9, 1e-12, equal_nan=True))
        for a, b in zip(one.values, other.values, strict=True)
    )
