"""The same answers on every kind of screen."""

import os
import pty
import subprocess
import sys

import pytest

from grader.show.terminal.layout import measure
from tests.conftest import ROOT

OF_BANK = [("bank",), ("bank", "list"), ("bank", "check")]
COMMANDS = [
    (),
    *OF_BANK,
    *((name,) for name in ["check", "start", "make", "hint", "fresh", "reset", "explain", "doctor"]),
]
SLOW = """\
import time
import numpy as np
def softmax(x):
    time.sleep(0.4)
    shifted = np.exp(x - x.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)
"""


@pytest.fixture
def wrong(grade, tmp_path):
    """A worksheet with a wrong row."""
    assert grade("make", "first_hour", "--out", "set").code == 0
    file = tmp_path / "set" / "01_row_times_matrix.md"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("[_, _]", "[91, 92]"), encoding="utf-8")
    return file


def test_a_file_shows_which_cells_differ(grade, wrong):
    """Marked by a star beside the colour, and counted."""
    run = grade(wrong)

    assert run.code == 1
    assert "*" in run.out
    assert "cells differ" in run.out or "cell differs" in run.out


@pytest.mark.parametrize("settings", [{"PYTHONIOENCODING": "ascii"}, {"TERM": "dumb"}])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_poor_screen_gets_ascii_and_nothing_is_lost(grade, wrong, settings, lang):
    """Signs become letters; where Chinese cannot be shown at all, English is spoken rather than escapes."""
    one, many = (grade(path, "--lang", lang, **settings) for path in (wrong, "set"))

    assert one.code == many.code == 1
    shown = one.out + many.out
    assert not set(shown) & set("✓✗≈…·×√½★")
    assert "\\u" not in shown
    if "PYTHONIOENCODING" in settings:
        assert shown.isascii()


def test_plain_says_in_words_which_cells_differ(grade, wrong):
    """For those who listen."""
    run = grade(wrong, "--plain")

    assert "*" not in run.out
    assert "Cells that differ" in run.out


def on_a_terminal(arguments, cwd):
    """What a run writes to a terminal as its standard error, its output being read by a program."""
    ours, its = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "grader", *arguments],
        cwd=cwd, stdout=subprocess.PIPE, stderr=its, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "TERM": "xterm", "COLUMNS": "80"},
    )  # fmt: skip
    out, _ = done.communicate(timeout=60)
    os.close(its)
    seen = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(ours)
    return done.returncode, out, seen.decode()


def test_a_bar_is_shown_once_work_takes_more_than_a_second(grade, tmp_path):
    """On a terminal only, beside the answer, and gone at the end."""
    (tmp_path / "slow").mkdir()
    for number in (1, 2, 3):
        text = f"# problem: softmax\n{SLOW}"
        (tmp_path / "slow" / f"0{number}_softmax.py").write_text(text, encoding="utf-8")
    (tmp_path / "quick").mkdir()
    (tmp_path / "quick" / "01_softmax.py").write_text("# problem: softmax\nx = 1\n", encoding="utf-8")

    code, out, bar = on_a_terminal(["slow", "--json"], tmp_path)
    quick = on_a_terminal(["quick"], tmp_path)

    assert (code, out[:1], out[-2:]) == (0, "{", "}\n")
    assert "/3" in bar
    assert quick[2] == ""
    assert "/3" not in grade("slow").err


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_help_fits_the_terminal_and_cuts_no_sentence(grade, lang):
    """Of every command: 80 cells, where a Chinese character takes two."""
    for command in COMMANDS:
        run = grade(*command, "--help", "--lang", lang)
        assert run.code == 0
        assert [line for line in run.out.splitlines() if measure(line) > 80] == []
        assert "..." not in run.out.replace("]...", "]")  # what may be repeated
