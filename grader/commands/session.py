"""What every command shares: the language, the words, the paper, the bank's folders, and how faults are said."""

import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.bank import words
from grader.errors import BadInput, GradeError
from grader.model import Lang, Report, SubmittedFile, Words
from grader.show import language, text
from grader.show.command import adapt
from grader.show.terminal import Paper
from grader.show.terminal.layout import hang
from grader.worksheet.collect import find_file, identify, is_called

EXERCISES = Path("exercises")
CHINESE = "中文"
RIGHT, NOT_YET, UNUSABLE, OURS = 0, 1, 2, 3
"""Exit codes: all right, something is not, a file or an argument cannot be used, the grader's own fault."""


@dataclass(frozen=True)
class Session:
    """One run of one command. `asked` is the language that was asked for, if any was."""

    asked: Lang | None = None
    plain: bool = False
    roots: Sequence[Path] = ()

    @cached_property
    def words(self) -> Words:
        """The sentences and pages, read as they are needed."""
        return words.load(self.roots)

    @cached_property
    def paper(self) -> Paper:
        """Standard output."""
        return Paper(plain=self.plain)

    def lang(self, files: Iterable[SubmittedFile] = ()) -> Lang:
        """The language to speak about these files."""
        return language.choose(self.asked, os.environ, [file.lang for file in files])

    def spoken(self, files: Iterable[SubmittedFile] = ()) -> Lang:
        """The language to show: English where the stream cannot carry Chinese."""
        return self.lang(files) if self.paper.carries(CHINESE) else "en"

    def answer(self, lines: str) -> None:
        """Print what was asked for."""
        print(self.paper.fit(lines))  # noqa: T201 -- standard output is where a command answers

    def tell(self, lines: str) -> None:
        """Print sentences that were asked for, wrapped."""
        self.answer(self._wrapped(lines))

    def hand_over(self, text: str) -> None:
        """Print a file that was asked for instead of an answer, byte for byte."""
        sys.stdout.buffer.write(text.encode())
        sys.stdout.flush()

    def remark(self, lines: str) -> None:
        """Print what is said beside the answer, so that a program reading the answer is not disturbed."""
        print(self._wrapped(lines), file=sys.stderr)  # noqa: T201 -- as above

    def _wrapped(self, lines: str) -> str:
        return "\n".join(part for line in lines.splitlines() for part in hang(self.paper.fit(line), self.paper.width))

    def sentence(self, code: str, lang: Lang | None = None, /, **numbers: object) -> str:
        """The sentence of a code."""
        return adapt(text.sentence(code, numbers, self.words, lang or self.spoken()))

    def complain(self, fault: Exception, lang: Lang | None = None) -> None:
        """Say what is wrong."""
        self.remark(adapt(text.error(fault, self.words, lang or self.spoken())))
        if not isinstance(fault, GradeError):
            self.remark(self.sentence("report-this", lang))

    def say_without_box(self, reports: Iterable[Report]) -> None:
        """That code ran under limits alone, on a machine that has no walls for it."""
        bare = next((report.isolation for report in reports if report.isolation in {"limits", "process"}), None)
        if bare is not None:
            self.remark(self.sentence("ran-without-box", isolation=bare))

    def own_faults(self, reports: Iterable[Report]) -> None:
        """Where the grader itself went wrong, for those who can mend it."""
        ours = [report.fault for report in reports if report.fault and not isinstance(report.fault, GradeError)]
        for fault in ours:
            self.remark("".join(traceback.format_exception(fault)).rstrip())
        if ours:
            self.remark(self.sentence("report-this"))


def exit_code(reports: Iterable[Report]) -> int:
    """The highest exit code that applies."""
    return max((_code(report) for report in reports), default=RIGHT)


def _code(report: Report) -> int:
    if report.fault is not None:
        return report.fault.exit_code if isinstance(report.fault, GradeError) else OURS
    return RIGHT if report.status == "right" else NOT_YET


def here() -> Path:
    """The folder of exercises that a bare number means: this one, or `exercises/` in it.

    `BadInput` if someone has deleted the folder that one is in.
    """
    try:
        folder = Path.cwd()
    except FileNotFoundError:
        raise BadInput("folder-gone") from None
    return EXERCISES if (folder / EXERCISES).is_dir() and not any(folder.glob("[0-9]*_*.*")) else Path()


def meant(path: Path) -> Path:
    """What a path means: where nothing is called so, a bare number, name or id is a file of the exercises here.

    `BadInput` for a number that none of them has.
    """
    if path.name != str(path) or path.exists():
        return path
    exercises = list(here().glob("[0-9]*_*.*"))
    if any(is_called(one, path.name) for one in exercises) or (exercises and path.name.isdecimal()):
        return find_file(here(), path.name)
    return path


def one_file(name: str) -> SubmittedFile:
    """The one file that a path, a number or an id means, however broken it is: only its head is looked at."""
    path = Path(name)
    return identify(path if path.is_file() else find_file(here(), name))
