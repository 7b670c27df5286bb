"""A progress bar for work that takes more than a moment, on a standard error that someone looks at."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

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
    """A bar that starts late, if at all."""

    def __init__(self, total: int, stream: TextIO, clock: Callable[[], float]) -> None:
        from rich.console import Console  # noqa: PLC0415 -- only where a bar can be seen
        from rich.progress import BarColumn, MofNCompleteColumn, Progress  # noqa: PLC0415 -- as above

        console = Console(file=stream, force_jupyter=False)
        self._progress = Progress(BarColumn(), MofNCompleteColumn(), console=console, transient=True)
        self._task = self._progress.add_task("", total=total)
        self._clock = clock
        self._begun = clock()
        self._shown = False

    def advance(self) -> None:
        """Count one part; show the bar once the work has taken long enough."""
        self._progress.advance(self._task)
        if not self._shown and self._clock() - self._begun > PATIENCE:
            self._shown = True
            self._progress.start()

    def stop(self) -> None:
        """Take the bar away."""
        if self._shown:
            self._progress.stop()


def _nothing() -> None:
    """Count without showing."""
