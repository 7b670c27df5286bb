"""How a run ends: our own faults are never a learner's, Ctrl-C and closed pipes are quiet."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader import cli
from grader.commands import check
from grader.errors import GradeError
from grader.mark import Marker
from tests.conftest import ROOT
from tests.filled import fill_right


@pytest.fixture
def here(monkeypatch, capfd, tmp_path):
    """Run the command line in this process, so that it can be broken on purpose: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.stdout, "flush", lambda: None, raising=False)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["grade", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capfd.readouterr()
        return left.value.code, out, err

    return run


@pytest.fixture
def filled(here, tmp_path):
    """A small set, filled in."""
    assert here("start", "set", "--set", "first_hour")[0] == 0
    fill_right(tmp_path / "set")
    return tmp_path / "set"


def test_a_fault_of_ours_in_one_file_stops_no_other_and_is_charged_to_nobody(here, filled, monkeypatch):
    """Exit 3, what helps to mend it on standard error, full marks for the rest."""

    def fail(self, file, variant):
        if variant.template.id == "two_scores":
            raise ZeroDivisionError("ours")
        return original(self, file, variant)

    original = Marker.marked
    monkeypatch.setattr(Marker, "marked", fail)
    code, out, err = here("set")

    assert code == 3
    assert "Points 25 of 25" in out
    assert "not of yours" in out
    assert "ZeroDivisionError: ours" in err
    assert "nobody loses points" in err


@pytest.mark.parametrize("fault", [RuntimeError("ours"), GradeError("convention-unknown", convention="a", setting="b")])
def test_a_fault_of_ours_anywhere_else_is_exit_3(here, filled, monkeypatch, fault):
    """An apology on standard error, and no marks at all."""

    def fail(*arguments, **named):
        raise fault

    monkeypatch.setattr(check, "show", fail)
    code, out, err = here("set")

    assert (code, out) == (3, "")
    assert err.strip()


def test_even_when_the_words_cannot_be_read_the_code_is_3(here, filled, monkeypatch):
    """The last stop has no needs of its own."""

    def fail(*arguments, **named):
        raise RuntimeError("ours")

    monkeypatch.setattr(check, "show", fail)
    monkeypatch.setattr("grader.bank.words.load", fail)

    assert here("set")[0] == 3


def environment(**more):
    """The environment of a run."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **more}


def test_ctrl_c_is_130_and_leaves_nothing_behind(tmp_path):
    """A loop that never ends is stopped with its process, and nothing is printed but what stands there."""
    file = tmp_path / "loop.py"
    file.write_text(
        "def softmax(x):\n    while True: pass\n",
        encoding="utf-8",
    )
    run = subprocess.Popen(
        [sys.executable, "-m", "grader", "check", str(file), "--exercise", "softmax"],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(2)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=20)

    assert run.returncode == 130
    assert "Traceback" not in err
    assert not processes_of(file)


def processes_of(file):
    """Processes whose command line names a file."""
    shown = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in shown.splitlines() if str(file) in line]


@pytest.mark.parametrize(
    "arguments",
    [["bank", "list"], ["--help"], ["--version"], ["bank", "list", "--plain"], ["--json", str(ROOT / "exercises")]],
)
def test_a_closed_pipe_is_quiet(tmp_path, arguments):
    """As in `grade … | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "grader", *arguments],
        cwd=tmp_path, env=environment(), stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writer)

    assert done.stderr == ""
    assert done.returncode in {0, 1}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", [["bank", "list"], ["--help"]])
def test_a_full_disk_is_said(tmp_path, arguments):
    """It is neither the learner's fault nor ours."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "grader", *arguments],
            cwd=tmp_path, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip

    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
