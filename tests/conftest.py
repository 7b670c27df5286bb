"""What all tests share: a run of the command line as a person would start it."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# How long an example takes says how busy the machine is, and nothing of what is tested.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background by a shell: what the tests start would ignore Ctrl-C, which some of them try.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class Run:
    """What one run of the command left: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """The one JSON object that was printed."""
        return json.loads(self.out)


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory):
    """What is worked out once is kept in a folder of the tests' own, not in the user's."""
    kept = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    yield
    os.environ.pop("XDG_CACHE_HOME")
    if kept is not None:
        os.environ["XDG_CACHE_HOME"] = kept


@pytest.fixture
def grade(tmp_path):
    """Run `grade` with some arguments in a temporary folder, as a process of its own."""

    def run(*arguments, cwd=None, **environment):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "GRADE_"))}
        done = subprocess.run(
            [sys.executable, "-m", "grader", *map(str, arguments)],
            cwd=cwd or tmp_path,
            env={
                **kept,
                "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))),
                "PYTHONIOENCODING": "utf-8",
                "COLUMNS": "80",
                "GRADE_COMMAND": "grade",
                **environment,
            },
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return run
