"""The command that people are told to type is one that runs for them."""

import sys

import pytest

from grader.show.command import adapt, command


@pytest.fixture(autouse=True)
def _installed(monkeypatch):
    monkeypatch.delenv("GRADE_COMMAND", raising=False)
    monkeypatch.setattr(sys, "argv", ["/usr/bin/grade"])


def test_an_installed_script_is_grade():
    """Its name is on the path."""
    assert command("explain", "mask_ignored") == "grade explain mask_ignored"


def test_a_clone_says_what_was_typed(monkeypatch):
    """The script hands on how it was called."""
    monkeypatch.setenv("GRADE_COMMAND", "./scripts/grade")

    assert command("exercises/01_a.md") == "./scripts/grade exercises/01_a.md"


def test_the_module_says_how_it_is_run(monkeypatch):
    """`python -m grader` works where nothing is on the path."""
    monkeypatch.setattr(sys, "argv", ["/somewhere/grader/__main__.py"])

    assert command("hint", "3") == "python -m grader hint 3"


def test_names_with_spaces_are_quoted(monkeypatch):
    """A line that is shown can be pasted."""
    monkeypatch.setenv("GRADE_COMMAND", "/my clone/scripts/grade")

    assert command("a b.md") == "'/my clone/scripts/grade' 'a b.md'"


def test_sentences_change_between_backticks_only(monkeypatch):
    """The verb stays a verb."""
    monkeypatch.setenv("GRADE_COMMAND", "./scripts/grade")

    assert (
        adapt("We grade with `grade start x` or `grade`.")
        == "We grade with `./scripts/grade start x` or `./scripts/grade`."
    )
