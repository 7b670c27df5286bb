"""Give out a set: draw every problem, write its file, and the README that says what to do."""

import contextlib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.bank import draw, load, token
from grader.bank.sets import Entry, ProblemSet
from grader.errors import BadInput, GradeError
from grader.model import Lang, Seed, Template, Variant
from grader.worksheet import write

README = "README.md"
_WRITING = ".writing-"
"""What the name of a file begins with that is being written, beside its place."""

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
    written, texts = _set(folder, plan)
    make_folder(folder)
    for path in _left_behind(folder, texts):
        path.unlink(missing_ok=True)
    for name, text in texts.items():
        replace_text(folder / name, text)
    return written


def is_begun(folder: Path, plan: Plan) -> bool:
    """Whether a folder holds nothing but what would be written there, whole or its beginning: a run was broken off."""
    try:
        there = set(folder.iterdir())
        if folder.is_symlink() or not there:
            return not folder.is_symlink()
        _, texts = _set(folder, plan)
        ours = there - _left_behind(folder, texts)
        return all(path.name in texts and _begins(path, texts[path.name].encode()) for path in ours)
    except OSError:  # no folder, or one that we may not look into
        return False


def _begins(path: Path, whole: bytes) -> bool:
    """Whether a file, and no link to one, holds the beginning of some bytes."""
    return path.is_file() and not path.is_symlink() and whole.startswith(path.read_bytes())


def _left_behind(folder: Path, names: Iterable[str]) -> set[Path]:
    """The files beside those of these names that a run was writing when it was broken off."""
    return {path for path in folder.glob(f"{_WRITING}*") if path.name.partition("-")[2].partition("-")[2] in names}


def _set(folder: Path, plan: Plan) -> tuple[tuple[Written, ...], dict[str, str]]:
    """Every problem drawn, and the texts of all files by their names, the README last."""
    drawn = [_drawn(folder, plan, number, entry) for number, entry in enumerate(plan.problem_set.problems, start=1)]
    listed = [(one.path.name, one.variant.template) for one, _ in drawn]
    about = plan.problem_set
    readme = write.readme(about.title, about.text, listed, plan.lang, given_out=plan.given_out)
    texts = {one.path.name: text for one, text in drawn} | {README: readme}
    return tuple(one for one, _ in drawn), texts


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
    """Write a text as UTF-8, as `replace_bytes` does."""
    replace_bytes(path, text.encode(), private=private)


def replace_bytes(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file in one move: the old content or the new one is there, never half of it.

    `private`: readable by its owner alone. `BadInput` if the folder does not take it.
    """
    beside = path.with_name(f"{_WRITING}{os.getpid()}-{path.name}")
    try:
        with open(beside, "wb", opener=_private if private else None) as file:
            file.write(data)
        if path.exists() and not private:
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise BadInput("file-unwritable", file=path, reason=error.strerror or "") from None


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; `BadInput` if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput("file-unwritable", file=folder, reason=error.strerror or "") from None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
