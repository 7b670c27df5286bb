"""Give out a set: draw every problem, write its file, and the README that says what to do."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.bank import draw, load, token
from grader.bank.sets import Entry, ProblemSet
from grader.errors import BadInput, GradeError
from grader.model import Lang, Seed, Template, Variant
from grader.worksheet import write

README = "README.md"

SeedOf = Callable[[Template, Entry], Seed]
TokenOf = Callable[[Variant], str]


@dataclass(frozen=True, slots=True)
class Plan:
    """A set, its language, how each problem's seed and token are made, and whether a course gives it out."""

    problem_set: ProblemSet
    lang: Lang
    seed_of: SeedOf
    token_of: TokenOf = token.format
    given_out: bool = False
    roots: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """One file written: its place in the set, path, entry, variant and token."""

    number: int
    path: Path
    entry: Entry
    variant: Variant
    token: str


def write_set(folder: Path, plan: Plan) -> tuple[Written, ...]:
    """Draw every problem of a set and write its files and its README. The folder is made; files are replaced."""
    drawn = [_drawn(folder, plan, number, entry) for number, entry in enumerate(plan.problem_set.problems, start=1)]
    listed = [(one.path.name, one.variant.template) for one, _ in drawn]
    make_folder(folder)
    for one, text in drawn:
        replace_text(one.path, text)
    about = plan.problem_set
    readme = write.readme(about.title, about.text, listed, plan.lang, given_out=plan.given_out)
    replace_text(folder / README, readme)
    return tuple(one for one, _ in drawn)


def _drawn(folder: Path, plan: Plan, number: int, entry: Entry) -> tuple[Written, str]:
    template = load.find(entry.template, plan.roots)
    variant = _fair(template, plan.seed_of(template, entry))
    word = plan.token_of(variant)
    name, text = write.write(variant, word, plan.lang, number, entry.points)
    return Written(number, folder / name, entry, variant, word), text


def _fair(template: Template, seed: Seed) -> Variant:
    """A fair variant. That none is found is a fault of the template's file, where it is not one of ours."""
    try:
        return draw.draw(template, seed)
    except BadInput:
        raise
    except GradeError as fault:
        if template.file.is_relative_to(load.root()):
            raise
        raise BadInput(fault.code, file=template.file, **fault.numbers) from fault


def replace_text(path: Path, text: str, *, private: bool = False) -> None:
    """Write a file in one move: the old text or the new one is there, never half of it.

    `private`: readable by its owner alone. `BadInput` if the folder does not take it.
    """
    beside = path.with_name(f".writing-{os.getpid()}-{path.name}")
    try:
        with open(beside, "w", encoding="utf-8", newline="\n", opener=_private if private else None) as file:
            file.write(text)
        if path.exists() and not private:
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise BadInput("file-unwritable", file=path, reason=error.strerror or "") from None


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; `BadInput` if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput("file-unwritable", file=folder, reason=error.strerror or "") from None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
