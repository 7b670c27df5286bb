"""A learner who types a trace into a worksheet: numbers rounded as asked, letters for options."""

import numpy as np

from grader.judge.compare import expected
from grader.model import Answer, Blank, RawAnswer, Trace
from grader.worksheet import answers


def text_of(blank: Blank, trace: Trace) -> str:
    """What a learner types for a blank who computed this trace; the right letters where letters are asked."""
    if blank.kind == "truth":
        return "T" if blank.truth else "F"
    if blank.kind in {"choice", "choices"}:
        return ", ".join(choice.letter for choice in blank.choices if choice.right)
    values = np.asarray(expected(blank, trace))
    if blank.kind == "mask":
        if values.dtype == bool:
            values = np.where(values, 0.0, -np.inf)
        return _nested(values, lambda value: "-inf" if np.isneginf(value) else "0")
    if blank.kind == "shape":
        return f"({', '.join(str(int(value)) for value in values)})"
    return _nested(values, lambda value: _number(float(value), blank.decimals))


def _number(value: float, decimals: int) -> str:
    """Rounded as asked; a number that should have come out whole, but did not, is typed with what it has."""
    value = round(value, 12) + 0.0  # a zero is typed without a sign
    return f"{value:.{decimals if decimals > 1 or round(value, decimals) == round(value, 9) else 4}f}"


_read: dict[tuple, Answer] = {}


def read(blank: Blank, text: str) -> Answer:
    """The answer as the worksheet reads it; read once, as many wrong sheets share most of their answers."""
    key = (blank.name, blank.kind, blank.step, blank.shape, blank.decimals, len(blank.choices), text)
    if key not in _read:
        _read[key] = answers.read(blank, RawAnswer(blank.name, text, 1))
    return _read[key]


def _nested(values, show) -> str:
    if values.ndim == 0:
        return show(values)
    return f"[{', '.join(_nested(row, show) for row in values)}]"
