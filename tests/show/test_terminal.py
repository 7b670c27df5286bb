"""The terminal: colours, encodings, foreign text, progress, and that everything keeps to the width."""

import ast
import io
import re
import string
from fractions import Fraction
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.model import LANGS, Batch, BlankKind, FailingCase, Finding, Report, StepReport, Template, Text, Words
from grader.show import terminal
from grader.show.terminal import layout
from grader.show.terminal.paper import Paper
from grader.show.terminal.view import MARKS

ROOT = Path(__file__).parents[2]
PHRASES = ROOT / "problem_bank" / "words" / "terminal.yaml"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def _report(text: str = "x", status: str = "wrong", **more) -> Report:
    found = Finding("exception", {"error": text, "message": text, "frames": [[1, text, text], [2, text, text]]}, line=2)
    step = StepReport(
        text, "wrong", Fraction(0), Fraction(1), (found,), ((0,),), text, np.array([1.0, 2.0]), np.ones(2)
    )
    case = FailingCase(text, text, {text: np.array([text]), "Q": np.eye(3)}, np.eye(2), np.ones((2, 2)))
    values = {"file": Path("a.py"), "variant": text, "points": Fraction(0), "max_points": Fraction(1), "steps": (step,)}
    values |= {"problem": text, "title": Text(text, text), "status": status, "output": text, "failing": case}
    return Report(**values | more)


class _Screen(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def _on_screen(words, **options) -> str:
    screen = _Screen()
    terminal.show(Batch((_report(),)), words, "en", paper=Paper(screen, width=80, **options))
    return screen.getvalue()


def test_a_terminal_gets_colours(words):
    """Marks and headings are coloured where colours can be seen."""
    assert "\x1b[31m" in _on_screen(words)


def test_no_color_is_obeyed(words, monkeypatch):
    """With NO_COLOR nothing is coloured; bold headings may stay."""
    monkeypatch.setenv("NO_COLOR", "1")

    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", _on_screen(words))


def test_plain_has_no_codes_and_no_marks(words):
    """For a screen reader there are words only."""
    text = _on_screen(words, plain=True)

    assert "\x1b" not in text
    assert not set(text) & {"✓", "✗", "*", "½"}


def test_a_dumb_terminal_gets_ascii(words, printed, monkeypatch):
    """With TERM=dumb every sign of ours has a stand-in."""
    monkeypatch.setenv("TERM", "dumb")

    assert printed(terminal.show, Batch((_report(),)), words, "en").isascii()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk", "cp1252"])
@pytest.mark.parametrize("lang", LANGS)
def test_no_encoding_fails(encoding, lang, words, printed):
    """What an encoding lacks is replaced or spelled out."""
    assert printed(terminal.show, Batch((_report("✓ 中 🙂"),)), words, lang, encoding=encoding)


def test_markup_in_foreign_text_is_text(words, printed):
    """A learner's `[red]` and emoji codes are shown as they are."""
    assert "[bold red]:smile:[/]" in printed(terminal.show, Batch((_report("[bold red]:smile:[/]"),)), words, "en")


@given(text=st.text(st.characters(), max_size=120), plain=st.booleans(), lang=st.sampled_from(LANGS))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_foreign_text_never_breaks_a_page(text, plain, lang, words, printed):
    """Any text in any place of a report: no control characters, and no line wider than the terminal."""
    one, many = Batch((_report(text),)), Batch((_report(text), _report(text, "crashed")), text)
    pages = [
        printed(terminal.show, one, words, lang, plain=plain, reveal=True),
        printed(terminal.show, many, words, lang, plain=plain),
        printed(terminal.class_table, [many, one], words, lang, plain=plain),
    ]

    for page in pages:
        assert not CONTROLS.search(page)
        assert all(layout.measure(line) <= 80 for line in page.split("\n"))


@pytest.mark.parametrize("width", [20, 40, 60, 200])
def test_the_width_of_the_terminal_is_kept(width, words, printed):
    """Between forty and eighty columns, whatever the terminal's."""
    text = printed(terminal.show, Batch((_report("a longer text " * 5),) * 2), words, "zh", width=width)

    assert max(layout.measure(line) for line in text.splitlines()) <= min(80, max(40, width))


def test_a_class_of_many_problems_is_counted(words, printed):
    """If a column for each problem does not fit, each student's right problems are counted."""
    reports = tuple(_report(f"p{at}", "right") for at in range(60))

    assert "60 / 60" in printed(terminal.class_table, [Batch(reports, "s1")], words, "en")


def test_nothing_to_mark_is_said(words, printed):
    """An empty folder has a sentence of its own."""
    assert printed(terminal.show, Batch(()), words, "en") == "There is nothing to mark here.\n"


def test_a_finding_about_a_right_function_is_said(words, printed):
    """A function that returns the right values but changed its inputs is told so."""
    step = StepReport("output", "right", Fraction(1), Fraction(1))
    report = _report(status="right", steps=(step,), findings=(Finding("inputs-changed"),), failing=None, output="")

    text = printed(terminal.show, Batch((report,)), words, "en")

    assert "Worth knowing" in text
    assert "inputs-changed" in text


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("plain", [True, False])
def test_a_value_that_was_not_reached_is_told_so_at_its_step(words, printed, lang, plain):
    """Two numbers and no cross: right where it was given back, and how often that was."""
    found = (Finding("right-where-reached", {"passed": 1, "total": 4, "returned": "Q"}),)
    reached = StepReport("Q", "crashed", Fraction(1, 4), Fraction(1), found)

    shown = printed(terminal.show, Batch((_report(steps=(reached,), failing=None),)), words, lang, plain=plain)

    assert {"en": "right in 1 of 4 cases, not reached", "zh": "4 个用例中对了 1 个"}[lang] in shown
    assert MARKS["wrong"][0] not in shown


def test_a_value_that_only_stopped_is_not_the_first_difference(words, printed):
    """Where the function ran it was right; what is looked at is the value that came out wrong."""
    half = (Finding("cases-passed", {"passed": 2, "total": 8, "returned": "weights"}),)
    stopped = StepReport("weights", "wrong", Fraction(1, 2), Fraction(2), half)
    wrong = StepReport("output", "wrong", Fraction(0), Fraction(2), (Finding("mix_weights_transposed"),))
    case = FailingCase("small", "output", {"Q": np.eye(2)}, np.eye(2), np.ones((2, 2)))

    text = printed(terminal.show, Batch((_report(steps=(stopped, wrong), failing=case),)), words, "en")

    assert "First difference: output" in text


def test_faults_alone(words, printed):
    """Faults are listed even if nothing else was marked."""
    assert "ValueError" in printed(terminal.faults, [ValueError("x")], words, "en")


def test_the_bank_is_listed_by_chapter(words, printed):
    """Each chapter's problems stand in aligned columns."""
    names = {"title": Text("Title", "标题"), "statement": Text("", ""), "skill": "", "pipeline": "", "sizes": {}}
    rest = {"draw": {}, "cases": (), "pins": {}, "ask": (), "function": None, "hints": (), "about": (), "fair": None}
    listed = [
        Template(id=name, chapter="01_x", difficulty=2, minutes=8, drawing_hash="", file=Path(), **names, **rest)
        for name in ("one", "another")
    ]

    text = printed(terminal.bank_list, listed, words, "zh")

    assert "  one      标题  ★★☆  8 分钟  填数\n" in text
    assert "共 2 题" in text


def test_an_unknown_page_is_said(words, printed):
    """`grade explain` of something that has no page says so."""
    assert printed(terminal.explain, "odd", {}, words, "en") == "There is no page on `odd`.\n"


def test_no_hints_are_said(words, printed):
    """A problem without hints says so."""
    assert printed(terminal.hints, [], 0, words, "en") == "There are no hints for this problem.\n"


def test_progress_is_shown_only_if_it_takes_long():
    """Quick work shows nothing; after a second a bar appears, and goes away."""
    quick, slow = _Screen(), _Screen()
    times = iter([0.0, 2.0])

    with terminal.progress(2, quick, lambda: 0.0) as advance:
        advance()
    with terminal.progress(2, slow, lambda: next(times)) as advance:
        advance()

    assert quick.getvalue() == ""
    assert "1/2" in slow.getvalue()


def test_progress_is_silent_in_a_pipe():
    """A file never gets a bar."""
    pipe = io.StringIO()

    with terminal.progress(1, pipe, lambda: 99.0) as advance:
        advance()

    assert pipe.getvalue() == ""


def test_only_the_terminal_imports_rich():
    """Everything else that shows is free of it."""
    users = {
        path.relative_to(ROOT).parts[:3]
        for path in (ROOT / "grader").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "rich"
    }

    assert users == {("grader", "show", "terminal")}


def test_phrases_have_the_same_places_in_both_languages():
    """Each phrase names the same numbers in English and in Chinese."""
    phrases = yaml.safe_load(PHRASES.read_text(encoding="utf-8"))

    for code, both in phrases.items():
        places = [{name for _, name, _, _ in string.Formatter().parse(both[lang]) if name} for lang in LANGS]
        assert places[0] == places[1], code


def test_every_phrase_that_is_said_exists():
    """Each code in the source has its phrase, and each phrase is said somewhere."""
    phrases = set(yaml.safe_load(PHRASES.read_text(encoding="utf-8")))
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "grader" / "show").rglob("*.py"))
    said = set(re.findall(r'say\(\s*["\']([a-z][a-z-]+)["\']', source))
    built = {f"status-{status}" for status in MARKS} | {f"page-{part}" for part in ("what", "why", "look", "read")}
    built |= {code for code in phrases if code.startswith("at-")}
    built |= {f"kind-{kind}" for kind in get_args(BlankKind) if kind != "choices"}

    assert said <= phrases
    assert {code for code in phrases - said - built if f'"{code}"' not in source} == set()


def test_an_unknown_status_word_never_fails(printed):
    """Without any words the codes are shown, and nothing breaks."""
    assert "status-wrong" in printed(
        terminal.show, Batch((_report(failing=None),) * 2), Words({}, {}), "en", plain=True
    )
