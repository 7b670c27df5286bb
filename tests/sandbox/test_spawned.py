"""A fresh process for each submission: its deadlines do not outlive the grader."""

import os
import textwrap
import threading
import time
from pathlib import Path

import pytest

from grader.sandbox import spawned
from grader.sandbox.run import Runner
from grader.sandbox.spawned import Spawned

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


def test_a_process_that_was_ending_by_itself_was_not_killed(monkeypatch):
    """On a machine with much to do a process may close its pipes long before it is gone: its own code counts."""
    collect = spawned._collect

    def slow(process, *, wait):
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and this look does not see it yet
        return collect(process, wait=True) if wait else None

    monkeypatch.setattr(spawned, "_collect", slow)
    with Runner(forks=False) as runner:
        (outcome,) = runner.run("import os\ndef f(): os._exit(7)", Path("f.py"), "f", [()], 1)
        monkeypatch.undo()
    assert (outcome.ending, outcome.message) == ("exit", "7")


def test_a_process_that_dies_between_two_cases_costs_one_case(monkeypatch):
    """A thread that ends the process while the grader judges the case before is told as an exit."""
    source = """
        import os, threading
        def f(last):
            if last:
                threading.Timer(0.05, os._exit, [5]).start()
            return 1
    """
    ask = Spawned.ask

    def later(box, *arguments):
        time.sleep(0.3)
        return ask(box, *arguments)

    monkeypatch.setattr(Spawned, "ask", later)
    with Runner(forks=False) as runner:
        outcomes = runner.run(textwrap.dedent(source), Path("f.py"), "f", [(True,), (False,), (False,)], 1)
    assert [outcome.ending for outcome in outcomes] == ["returned", "exit", "returned"]
    assert outcomes[1].message == "5"
