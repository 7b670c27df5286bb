"""One submission: load its file, then case by case. The next case comes only after the answer to the one before."""

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType

from . import reports
from .limits import Capped, Clock, capture_prints, limit_process
from .recorder import Recorder
from .submission import Function, Job, call, load
from .wire import CASE, ENDED, LOADED, RECORD, RECORDED, REPAIR, REPAIRED, RESULT, Channel


class Session:
    """The submission of one process."""

    def __init__(self, channel: Channel, size: int, close: Callable[[], None]) -> None:
        """Take the job, put the process of this `size` under its limits, and close the walls around it."""
        self.channel = channel
        self.function: Function
        _, self.request, payload = channel.receive()
        self.job = Job.read(payload)
        self.lines = self.job.lines
        self.prints: Capped = capture_prints(self.job.output)
        self.clock = Clock(self.time_up)
        if self.job.folder:
            os.chdir(self.job.folder)
        sys.dont_write_bytecode = True
        gc.enable()
        limit_process(self.job.cpu, self.job.memory, self.job.output, size)
        close()
        self.recorder: Recorder | None = None
        self.works = {CASE: (RESULT, self.call), RECORD: (RECORDED, self.record), REPAIR: (REPAIRED, self.repair)}

    def run(self) -> None:
        """Load, then answer cases until the grader has heard enough."""
        if not self.answer(LOADED, self.load):
            return
        while True:
            tag, self.request, payload = self.channel.receive()
            self.prints.restart()
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
