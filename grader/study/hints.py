"""Hints of rising help, one more each time they are asked for; the last one is the worked solution."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.bank import token
from grader.errors import BadInput
from grader.model import Lang, SubmittedFile, Variant
from grader.study import state
from grader.worksheet import write


@dataclass(frozen=True, slots=True)
class Hints:
    """The hints opened so far, how many there are with the worked solution, and whether that one is open."""

    variant: Variant
    opened: tuple[str, ...]
    count: int
    solution: bool


def more(file: SubmittedFile, lang: Lang, roots: Sequence[Path] = ()) -> Hints:
    """Open the next hint of a file and remember it; hints once seen stay open."""
    if file.token is None:
        raise BadInput("no-variant", file=file.path, problem=file.problem or "")
    variant = token.variant(file.token, roots)
    texts = write.hints(variant, file.lang or lang)
    remembered = state.read(file.path.parent)
    opened = remembered.setdefault("hints", {})
    count = len(texts) + 1
    place = min(int(opened.get(file.path.name, 0)) + 1, count)
    opened[file.path.name] = place
    state.write(file.path.parent, remembered)
    return Hints(variant, texts[: min(place, len(texts))], count, place == count)
