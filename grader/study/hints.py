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
    """The hints opened so far, how many there are (a worksheet's solution is the last), whether that one is open.

    `unnoted` is why it could not be remembered that they are open.
    """

    variant: Variant
    opened: tuple[str, ...]
    count: int
    solution: bool
    unnoted: BadInput | None = None


def more(file: SubmittedFile, lang: Lang, roots: Sequence[Path] = ()) -> Hints:
    """Open the next hint of a file and remember it, if there is a place to; hints once seen stay open."""
    if file.token is None:
        raise BadInput("no-variant", file=file.path, problem=file.problem or "")
    variant = token.variant(file.token, roots)
    texts = write.hints(variant, lang)
    solved = variant.template.function is None and not token.is_given_out(file.token)
    count = len(texts) + solved  # no function is written out, and no answer of a course's set
    place = min(max(state.number(file.path, "hints"), 0) + 1, count)
    unnoted: BadInput | None = None
    try:
        state.remember(file.path, hints=place)
    except BadInput as fault:
        unnoted = fault
    return Hints(variant, texts[: min(place, len(texts))], count, place > len(texts), unnoted)
