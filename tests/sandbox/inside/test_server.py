"""How the server ends a fork, and what it tells of it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
END = """
import os, signal, time
from grader.sandbox.inside import server
pid = os.fork()
if pid == 0:
    {child}
    time.sleep(60)
if {ends}:
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
look = os.wait4
os.wait4 = lambda pid, how: look(pid, how) if how == 0 else (0, 0, None)  # nothing is seen without waiting
code, _, _, killed = server._end(pid, 0.01)
print(code, killed)
"""


@pytest.mark.parametrize(
    ("child", "said"), [("os._exit(7)", "7 False"), ("os.abort()", "-6 False"), ("signal.pause()", "-9 True")]
)
def test_only_what_was_still_running_was_killed(child, said):
    """A fork that was ending by itself is told with its own code, however slow the machine; else it was killed."""
    code = END.format(child=child, ends="pause" not in child)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == said
