"""One submission: load its file, then case by case. The next case comes only after the answer to the one before."""

import gc
import os
from collections.abc import Callable
from functools import partial
from types import FrameType

from . import reports
from .limits import Clock, Prints, limit_process
from .recorder import Recorder
from .submission import Function, Job, call, load
from .wire import CASE, ENDED, LOADED, RECORD, RECORDED, REPAIR, REPAIRED, RESULT, Channel


class Session:
    """The submission of one process. Whatever does not depend on it is there before the process is forked."""

    channel: Channel
    request: int
    job: Job
    lines: list[str]
    function: Function

    def __init__(self) -> None:
        """Make ready."""
        self.prints = Prints()
        self.clock = Clock(self.time_up)
        self.recorder: Recorder | None = None
        self.works = {CASE: (RESULT, self.call), RECORD: (RECORDED, self.record), REPAIR: (REPAIRED, self.repair)}

    def run(self, channel: Channel, size: int, close: Callable[[], None]) -> None:
        """Put the process of this `size` under its limits, close the walls, and answer until the grader is done."""
        self.channel = channel
        payload = self.hear()[1]
        self.prints.capture()
        self.take(payload)
        if self.job.folder:
            os.chdir(self.job.folder)
        gc.enable()
        limit_process(self.job.cpu, self.job.memory, self.job.output, size)
        close()
        going = self.answer(LOADED, self.load)
        while going:
            self.go_on()

    def hear(self) -> tuple[int, bytes]:
        """The next frame's tag and payload."""
        tag, self.request, payload = self.channel.receive()
        return tag, payload

    def take(self, payload: bytes) -> None:
        """Take the job."""
        self.job = Job.read(payload)
        self.lines = self.job.lines
        self.prints.restart(self.job.output)

    def go_on(self) -> None:
        """Answer one more frame."""
        tag, payload = self.hear()
        self.prints.restart(self.job.output)
        answered, work = self.works[tag]
        self.answer(answered, partial(work, payload))

    def load(self) -> bytes:
        """Load the file."""
        self.function = load(self.job)
        return b""

    def call(self, payload: bytes) -> bytes:
        """Call its function on one case."""
        return call(self.function, payload, self.job)

    def record(self, payload: bytes) -> bytes:
        """Call its function on one case with every value on the way recorded."""
        self.recorder = self.recorder or Recorder(self.job)
        return self.recorder.record(payload)

    def repair(self, payload: bytes) -> bytes:
        """Call it on that case again, each time with other values in the place of some."""
        assert self.recorder is not None  # noqa: S101 - the grader records first
        return self.recorder.repair(payload)

    def answer(self, tag: int, work: Callable[[], bytes]) -> bool:
        """Do some work against the clock and send what came of it; whether it was done."""
        try:
            self.clock.start(self.job.wall)
            payload = work()
        except BaseException as error:  # noqa: BLE001 - a submission may raise anything at all
            tag, payload = ENDED, reports.of_error(error, self.job.name, self.lines)
        self.clock.start(0)
        self.channel.send(tag, self.request, payload)
        return tag != ENDED

    def time_up(self, kind: str, frame: FrameType | None) -> None:
        """Tell the line that was running, and go: the submission has no say in it."""
        lines = reports.running_lines(frame, self.job.name, self.lines)
        self.channel.send(ENDED, self.request, reports.payload("timeout", kind, lines=lines))
        os._exit(0)
