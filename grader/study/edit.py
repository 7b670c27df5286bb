"""Drawing fresh numbers, starting a file over. A file is never replaced without a copy."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.bank import draw, load, token
from grader.errors import BadInput
from grader.give import replace_text
from grader.model import Lang, Seed, SubmittedFile, Template, Variant
from grader.study import state
from grader.worksheet import write


@dataclass(frozen=True, slots=True)
class Replaced:
    """One file replaced: its path, the copy of what was there, and the variant it now holds."""

    path: Path
    copy: Path
    variant: Variant


def fresh(file: SubmittedFile, lang: Lang, roots: Sequence[Path] = ()) -> Replaced:
    """New numbers for the same problem: the next seed. A course's numbers stay as they were given out.

    A file that has lost its variant gets new numbers too, as long as it still tells its problem.
    """
    template, last = _last(file, roots)
    following = 1 + max(last, state.number(file.path, "seeds"))
    variant = draw.draw(template, Seed(str(following)))
    replaced = _replace(file, variant, token.format(variant), lang)
    state.remember(file.path, seeds=following, hints=0)
    return replaced


def _last(file: SubmittedFile, roots: Sequence[Path]) -> tuple[Template, int]:
    """The template of a file and the seed that it holds; the seed of the ready-made sets if that cannot be told."""
    if file.token is None:
        return load.find(_problem(file), roots), 0
    named = token.parse(file.token)
    if token.is_given_out(file.token):
        raise BadInput("numbers-of-a-course", file=file.path)
    number = int(named.seed.text) if named.seed.text.isdecimal() else 0
    return load.find(named.template_id, roots), number


def _problem(file: SubmittedFile) -> str:
    if file.problem is None:
        raise BadInput("no-problem-named", file=file.path)
    return file.problem


def reset(file: SubmittedFile, lang: Lang, roots: Sequence[Path] = ()) -> Replaced | None:
    """The same variant, blank again; nothing is done to a file that is blank as it was given out."""
    named = _named(file)
    variant = draw.rebuild(token.template(named, roots), named.seed, named.redraw)
    blank = _text(file, variant, str(named), lang).encode()
    is_blank = file.path.read_bytes().replace(b"\r\n", b"\n") == blank
    return None if is_blank else _replace(file, variant, str(named), lang)


def number_of(path: Path) -> int:
    """The place in the set that a file's name starts with; 0 if it has none."""
    digits = re.match(r"\d+", path.name)
    return int(digits[0]) if digits else 0


def _named(file: SubmittedFile) -> token.Token:
    if file.token is None:
        raise BadInput("no-variant", file=file.path, problem=file.problem or "")
    return token.parse(file.token)


def _replace(file: SubmittedFile, variant: Variant, word: str, lang: Lang) -> Replaced:
    copy = state.keep_copy(file.path)
    replace_text(file.path, _text(file, variant, word, lang))
    return Replaced(file.path, copy, variant)


def _text(file: SubmittedFile, variant: Variant, word: str, lang: Lang) -> str:
    """A variant as a blank file, in the language, at the place and for the points of the file that it stands in."""
    return write.write(variant, word, file.lang or lang, number_of(file.path), file.points)[1]
