"""Drawing fresh numbers, starting a file over. A file is never replaced without a copy."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.bank import draw, token
from grader.errors import BadInput
from grader.give import replace_text
from grader.model import Lang, Seed, SubmittedFile, Variant
from grader.study import state
from grader.worksheet import write


@dataclass(frozen=True, slots=True)
class Replaced:
    """One file replaced: its path, the copy of what was there, and the variant it now holds."""

    path: Path
    copy: Path
    variant: Variant


def fresh(file: SubmittedFile, lang: Lang, roots: Sequence[Path] = ()) -> Replaced:
    """New numbers for the same problem: the next seed. A course's numbers stay as they were given out."""
    named = _named(file)
    if named.signature is not None or not named.seed.text.isdigit():
        raise BadInput("numbers-of-a-course", file=file.path)
    template = token.template(named, roots)
    following = 1 + max(int(named.seed.text), _last_seed(file))
    variant = draw.draw(template, Seed(str(following)))
    replaced = _replace(file, variant, token.format(variant), lang)
    remembered = state.read(file.path.parent)
    remembered.setdefault("seeds", {})[file.path.name] = following
    remembered.get("hints", {}).pop(file.path.name, None)
    state.write(file.path.parent, remembered)
    return replaced


def reset(file: SubmittedFile, lang: Lang, roots: Sequence[Path] = ()) -> Replaced:
    """The same variant, blank again."""
    named = _named(file)
    variant = draw.rebuild(token.template(named, roots), named.seed, named.redraw)
    return _replace(file, variant, str(named), lang)


def number_of(path: Path) -> int:
    """The place in the set that a file's name starts with; 0 if it has none."""
    digits = re.match(r"\d+", path.name)
    return int(digits[0]) if digits else 0


def _named(file: SubmittedFile) -> token.Token:
    if file.token is None:
        raise BadInput("no-variant", file=file.path, problem=file.problem or "")
    return token.parse(file.token)


def _last_seed(file: SubmittedFile) -> int:
    seeds = state.read(file.path.parent).get("seeds", {})
    last = seeds.get(file.path.name, 0) if isinstance(seeds, dict) else 0
    return last if isinstance(last, int) else 0


def _replace(file: SubmittedFile, variant: Variant, word: str, lang: Lang) -> Replaced:
    _, text = write.write(variant, word, file.lang or lang, number_of(file.path))
    copy = state.keep_copy(file.path)
    replace_text(file.path, text)
    return Replaced(file.path, copy, variant)
