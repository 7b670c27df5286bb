"""One blank to an `Answer`: read by its kind, echoed as read, or unreadable with a reason."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from grader.model import Answer, Blank, BlankKind, Cell, RawAnswer
from grader.worksheet.letters import read_letter, read_letters, read_truth
from grader.worksheet.masks import as_infinite, read_bit, read_mask
from grader.worksheet.matrix import Matrix, read_matrix
from grader.worksheet.normal import punctuation, unemphasised
from grader.worksheet.numbers import echo, read_number
from grader.worksheet.shapes import read_shape
from grader.worksheet.unreadable import Unreadable, short

INFINITE_STEPS: Final = frozenset({"masked", "additive", "minus_max"})
"""Steps that hold minus infinity where a key is blocked."""

TRUTH_STEPS: Final = frozenset({"stored"})
"""Steps whose numbers are truths: 1 and 0 for True and False."""

UNMASKED_STEPS: Final = frozenset({"scores", "scaled"})
"""Steps before the mask: minus infinity comes in after them."""

_EMPTY = re.compile(r"[\s_?()\[\]{},;|]*")
_ECHO_DIGITS: Final = 4


def read(blank: Blank, raw: RawAnswer | None) -> Answer:
    """What was typed for `blank`: read, blank, or unreadable with the reason. Never raises."""
    if raw is None:
        return Answer(blank.name, 0, "", "blank")
    raw = replace(raw, text=unemphasised(raw.text))
    text = raw.text.strip()
    if _EMPTY.fullmatch(punctuation(text)) and not (blank.kind == "shape" and text in {"()", "[]"}):
        return Answer(blank.name, raw.line, raw.text, "blank")
    try:
        return _READERS[blank.kind](blank, raw)
    except Unreadable as reason:
        if reason.code == "unreadable-infinite" and blank.step in UNMASKED_STEPS:
            reason = Unreadable("infinite-unmasked", **reason.numbers, blank=blank.name)
        reason.numbers = {**reason.numbers, "wanted": shape_text(blank.shape)}
        return Answer(blank.name, raw.line, raw.text, "unreadable", reason=reason.finding(raw.line))


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape as it is written: `(3, 4)`."""
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


# --- kinds -------------------------------------------------------------------------------------------------------


def _numbers(blank: Blank, raw: RawAnswer) -> Answer:
    if blank.step in TRUTH_STEPS:
        return _matrix_answer(blank, raw, read_matrix(raw.text, blank.shape, read_bit))
    if blank.step not in INFINITE_STEPS:
        return _matrix_answer(blank, raw, read_matrix(raw.text, blank.shape, read_number))
    return _matrix_answer(
        blank, raw, as_infinite(read_matrix(raw.text, blank.shape, partial(read_number, infinite=True)))
    )


def _mask(blank: Blank, raw: RawAnswer) -> Answer:
    mask = read_mask(raw.text, blank.shape)
    answer = _matrix_answer(blank, raw, mask.matrix)
    words = answer.read_as.replace("-inf", "F").replace("0", "T")  # its cells are 0 and -inf alone
    return replace(answer, read_as=words) if mask.words else answer


def _matrix_answer(blank: Blank, raw: RawAnswer, matrix: Matrix) -> Answer:
    """A matrix as an answer; one whose cells are all empty is blank."""
    state: Final = "read" if any(cell.value is not None for cell in matrix.cells) else "blank"
    echoed = _echo(matrix, max(blank.decimals, _ECHO_DIGITS))
    said = tuple({notice.code: notice for notice in reversed(matrix.notices)}.values())[::-1]  # the first of each kind
    return Answer(blank.name, raw.line, raw.text, state, matrix.shape, matrix.cells, read_as=echoed, notices=said)


def _shape(blank: Blank, raw: RawAnswer) -> Answer:
    cells = read_shape(raw.text)
    texts = [echo(cell, 0) for cell in cells]
    read_as = f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    return Answer(blank.name, raw.line, raw.text, "read", (len(cells),), cells, read_as=read_as)


def _letters(read_them: Callable[[str, tuple[str, ...]], tuple[str, ...]], blank: Blank, raw: RawAnswer) -> Answer:
    letters = read_them(raw.text, tuple(choice.letter for choice in blank.choices))
    read_as = ", ".join(letters) or "none"
    return Answer(blank.name, raw.line, raw.text, "read", letters=letters, read_as=read_as)


def _truth(blank: Blank, raw: RawAnswer) -> Answer:
    truth = read_truth(raw.text)
    return Answer(blank.name, raw.line, raw.text, "read", truth=truth, read_as="T" if truth else "F")


_READERS: Final[Mapping[BlankKind, Callable[[Blank, RawAnswer], Answer]]] = {
    "numbers": _numbers,
    "mask": _mask,
    "shape": _shape,
    "choice": partial(_letters, read_letter),
    "choices": partial(_letters, read_letters),
    "truth": _truth,
}


# --- echo --------------------------------------------------------------------------------------------------------


def _echo(matrix: Matrix, digits: int) -> str:
    """A matrix on one line as it was read; a single formula beside its value."""
    texts = [echo(cell, digits) for cell in matrix.cells]
    if matrix.shape == ():
        return _formula(matrix.cells[0], texts[0])
    for size in reversed(matrix.shape):
        texts = [f"[{', '.join(texts[at : at + size])}]" for at in range(0, len(texts), size)]
    return texts[0]


def _formula(cell: Cell, text: str) -> str:
    """`2/3 = 0.6667`; a number as itself."""
    worked_out = cell.decimals is None and text not in {"_", "inf", "-inf", cell.raw}
    return f"{short(cell.raw)} = {text}" if worked_out else text
