"""A fresh process for each submission: its deadlines do not outlive the grader."""

import threading
from pathlib import Path

import pytest

from grader.sandbox.run import Runner

SOURCE = "def f(): return 1"


@pytest.mark.parametrize("begun", [True, False])
def test_ctrl_c_while_a_deadline_is_set_leaves_no_timer_behind(monkeypatch, begun):
    """Wherever Ctrl-C comes, nothing is left that the interpreter would wait for at its end."""
    start = threading.Timer.start
    interrupted = []

    def interrupt(timer):
        if len(interrupted) < 3:  # deadlines before it: ready, and the file written and loaded
            interrupted.append(timer)
            start(timer)
            return
        if begun:
            start(timer)
        interrupted.append(timer)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Timer, "start", interrupt)
    with Runner(forks=False) as runner, pytest.raises(KeyboardInterrupt):
        runner.run(SOURCE, Path("f.py"), "f", [()], 1)
    assert len(interrupted) > 3
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def test_a_deadline_left_behind_does_not_hold_the_grader_back():
    """The threads that keep deadlines end with the grader."""
    seen = []

    class Watched(threading.Timer):
        def start(self):
            seen.append(self.daemon)
            super().start()

    with pytest.MonkeyPatch.context() as patch, Runner(forks=False) as runner:
        patch.setattr(threading, "Timer", Watched)
        runner.run(SOURCE, Path("f.py"), "f", [()], 1)
    assert seen
    assert all(seen)
