"""One line, and the escape codes of its parts; and what a terminal is known to take."""

import io

import pytest

from grader.show.terminal import abilities
from grader.show.terminal.line import Line
from grader.show.terminal.paper import Paper


class _Screen(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_a_line_without_style_is_its_text():
    """And no spaces are left at its end."""
    assert Line("text  ").coded(colours=True) == "text"


def test_a_style_goes_around_its_part():
    """SGR codes as terminals know them (ECMA-48): 1 bold, 2 faint, 31 red; 0 ends all."""
    line = Line("name ✗✗ rest", style="dim")
    line.stylize("red", 5, 7)

    assert line.coded(colours=True) == "\x1b[2mname \x1b[0m\x1b[31m✗✗\x1b[0m\x1b[2m rest\x1b[0m"


def test_without_colours_only_bold_and_dim_are_left():
    """A part whose style is a colour is as plain as any other."""
    line = Line("ab", style="bold")
    line.stylize("green", 1)

    assert line.coded(colours=False) == "\x1b[1ma\x1b[0mb"


@pytest.mark.parametrize(
    ("screen", "environment", "takes"),
    [
        (_Screen(), {}, True),
        (io.StringIO(), {}, False),
        (_Screen(), {"TERM": "dumb"}, False),
        (_Screen(), {"TERM": "unknown", "FORCE_COLOR": "1"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (_Screen(), {"FORCE_COLOR": ""}, False),
        (_Screen(), {"TTY_COMPATIBLE": "0"}, False),
        (io.StringIO(), {"TTY_COMPATIBLE": "1"}, True),
        (_Screen(), {"NO_COLOR": "1"}, True),
    ],
)
def test_who_takes_codes(screen, environment, takes, monkeypatch):
    """A terminal, or whoever is said to be one; a dumb one never."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert abilities.takes_codes(screen) is takes
    assert Paper(screen).codes is takes
    assert not Paper(screen, plain=True).codes


@pytest.mark.parametrize(
    ("environment", "width"),
    [
        ({"COLUMNS": "61"}, 61),
        ({"COLUMNS": "0"}, 80),
        ({"COLUMNS": "61", "TERM": "dumb"}, 80),
        ({"COLUMNS": "wide"}, 77),
    ],
)
def test_the_width_is_what_the_user_says(environment, width, monkeypatch):
    """`COLUMNS` before what the terminal says (77 here), 80 if neither is a number, and for a dumb one."""
    monkeypatch.setattr(abilities, "_measured", lambda: 77)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert abilities.width() == width


def test_without_a_terminal_there_are_80_columns(monkeypatch):
    """Nothing to measure."""
    monkeypatch.setattr(abilities.sys, "__stdin__", None)
    monkeypatch.setattr(abilities.sys, "__stdout__", None)
    monkeypatch.setattr(abilities.sys, "__stderr__", None)

    assert abilities.width() == 80
