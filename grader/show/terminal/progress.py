"""A progress bar for work that takes more than a moment, on a standard error that someone looks at."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0
"""Seconds of work before a bar is shown at all."""


@contextmanager
def progress(
    total: int, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[], None]]:
    """Give a function to call after each of `total` parts; the bar goes away at the end."""
    out = stream if stream is not None else sys.stderr
    if not out.isatty():
        yield _nothing
        return
    bar = _Bar(total, out, clock)
    try:
        yield bar.advance
    finally:
        bar.stop()


class _Bar:
    """A bar that starts late, if at all; what draws it is loaded then."""

    def __init__(self, total: int, stream: TextIO, clock: Callable[[], float]) -> None:
        self._total = total
        self._stream = stream
        self._clock = clock
        self._begun = clock()
        self._done = 0
        self._shown: Progress | None = None

    def advance(self) -> None:
        """Count one part; show the bar once the work has taken long enough."""
        self._done += 1
        if self._shown is None and self._clock() - self._begun > PATIENCE:
            self._shown = _started(self._total, self._stream)
        if self._shown is not None:
            self._shown.update(self._shown.task_ids[0], completed=self._done)

    def stop(self) -> None:
        """Take the bar away."""
        if self._shown is not None:
            self._shown.stop()


def _started(total: int, stream: TextIO) -> "Progress":
    from rich.console import Console  # noqa: PLC0415 -- only where a bar is seen
    from rich.progress import BarColumn, MofNCompleteColumn, Progress  # noqa: PLC0415 -- as above

    console = Console(file=stream, force_jupyter=False)
    bar = Progress(BarColumn(), MofNCompleteColumn(), console=console, transient=True)
    bar.add_task("", total=total)
    bar.start()
    return bar


def _nothing() -> None:
    """Count without showing."""
