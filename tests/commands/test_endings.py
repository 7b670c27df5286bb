"""How a run ends: our own faults are never a learner's, Ctrl-C and closed pipes are quiet."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from grader import __main__ as start
from grader import cli
from grader.commands import check
from grader.errors import GradeError
from grader.mark import Marker
from tests.attacks.conftest import descendants
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
    while run.poll() is None and len(descendants(run.pid)) < 2:  # the server and what it has forked
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=20)

    # To a shell, that is 130 too: Python ends so if Ctrl-C comes while it makes code of a text, as for a named tuple.
    assert run.returncode in {130, -signal.SIGINT}, (out, err)
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


def closed(grade_arguments, streams, cwd):
    """A run in a shell that closes some of its streams."""
    line = shlex.join([sys.executable, "-m", "grader", *map(str, grade_arguments)])
    return subprocess.run(
        ["sh", "-c", f"{line} {streams}"],
        cwd=cwd, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="a way of shells")
@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["bank", "list"], 0), (["--help"], 0), (["explain", "nosuch"], 2), (["set"], 0), (["set", "--json"], 0)],
)
def test_a_closed_stream_changes_no_ending(filled, tmp_path, arguments, code, streams):
    """As with `>&-` in a job that nobody watches; code is run all the same."""
    done = closed(arguments, streams, tmp_path)

    assert done.returncode == code
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.skipif(os.name != "posix", reason="a way of shells")
def test_what_a_command_writes_is_written_though_nobody_reads_what_it_prints(filled, tmp_path):
    """The CSV of a class, whether standard output is closed or its reader has gone."""
    (tmp_path / "class").mkdir()
    filled.rename(tmp_path / "class" / "ann")

    assert closed(["class", "--csv", "one.csv"], ">&-", tmp_path).returncode == 0
    closed(["class", "--json", "--csv", "two.csv"], "| head -c 1", tmp_path)

    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    assert b"ann" in (tmp_path / "one.csv").read_bytes()


def test_ctrl_c_while_the_program_is_loaded_is_quiet(monkeypatch):
    """Before there is anything that could catch it; what follows is not disturbed by one more."""
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setitem(sys.modules, "grader.cli", _Interrupted("grader.cli"))
    try:
        with pytest.raises(SystemExit) as left:
            start.main()
        after = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)

    assert (left.value.code, after) == (130, signal.SIG_IGN)


class _Interrupted(ModuleType):
    """A module at whose loading Ctrl-C is pressed."""

    def __getattr__(self, name):
        raise KeyboardInterrupt


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("arguments", [[], ["4"], ["hint", "4"], ["softmax"]])
def test_a_folder_that_was_deleted_under_ones_feet_is_said(tmp_path, lang, arguments):
    """Where a bare number or nothing at all means the exercises here."""
    gone = tmp_path / "gone"
    line = shlex.join([sys.executable, "-P", "-m", "grader", *arguments])
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", f"rmdir {shlex.quote(str(gone))}; exec {line}"],
        cwd=gone, env=environment(LC_ALL="zh_CN.UTF-8" if lang == "zh" else "C.UTF-8"), capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip

    assert done.returncode == 2
    assert {"en": "not there any more", "zh": "已经不存在"}[lang] in " ".join(done.stderr.split())


ORDINARY = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]


@pytest.fixture
def ordinary(tmp_path):
    """Run the command line as someone to whom permissions apply: the exit code and all that was said, on one line."""
    before = ORDINARY if os.geteuid() == 0 else []
    if before and not shutil.which(before[0]):
        pytest.skip("root may read everything")

    def run(*arguments, lang="en"):
        done = subprocess.run(
            [*before, sys.executable, "-m", "grader", *map(str, arguments), "--lang", lang],
            cwd=tmp_path, env=environment(), capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    return run


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("arguments", [["b"], ["b/01_x.md"], ["hint", "b/01_x.md"], ["fresh", "b/01_x.md"],
    ["b", "--class"], ["b/01_x.md", "--exercise", "softmax"]])  # fmt: skip
def test_a_folder_that_may_not_be_looked_into_is_said(ordinary, tmp_path, arguments, lang):
    """The path and why, as for a file."""
    (tmp_path / "b").mkdir(mode=0)
    try:
        code, said = ordinary(*arguments, lang=lang)
    finally:
        (tmp_path / "b").chmod(0o700)

    assert code == 2
    assert next(one for one in arguments if one.startswith("b")) in said
    assert {"en": "could not be opened", "zh": "无法打开"}[lang] in said
    assert "Traceback" not in said


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_hint_is_given_where_nothing_may_be_noted(ordinary, filled, lang):
    """The folder is there and cannot be looked into, let alone written."""
    (filled / ".grade").mkdir(mode=0)
    try:
        code, said = ordinary("hint", "set/04_two_scores.md", lang=lang)
    finally:
        (filled / ".grade").chmod(0o700)

    assert code == 0
    assert {"en": "Hint 1 of", "zh": "提示 1"}[lang] in said
    assert {"en": "not noted", "zh": "没有记下"}[lang] in said


@pytest.mark.parametrize("name", ["x" * 300, "x" * 300 + ".md", "1" * 5000])
def test_a_name_that_no_file_can_have_is_said(here, tmp_path, name):
    """Not even the system takes it."""
    code, out, err = here(name)

    assert code == 2
    assert "name too long" in " ".join((out + err).split())
