"""What to type for `grade`: lines that tell a command name the one that runs on this machine."""

import os
import shlex
import sys
from pathlib import Path

NAME = "grade"


def command(*arguments: str) -> str:
    """A command line to type: `grade explain mask_ignored` where it is installed, `./scripts/grade …` in a clone."""
    return " ".join([name(), *map(_quoted, arguments)])


def adapt(sentence: str) -> str:
    """A sentence with each `grade …` between backticks as it is typed here."""
    return sentence.replace(f"`{NAME} ", f"`{name()} ").replace(f"`{NAME}`", f"`{name()}`")


def name() -> str:
    """What stands for `grade` here: `scripts/grade` says how it was called, `python -m grader` shows it itself."""
    typed = os.environ.get("GRADE_COMMAND")
    if typed:
        return _quoted(typed)
    return "python -m grader" if Path(sys.argv[0]).name == "__main__.py" else NAME


def _quoted(word: str) -> str:
    """A word as this machine's shell wants it."""
    if os.name == "nt":
        return f'"{word}"' if " " in word else word
    return shlex.quote(word)
