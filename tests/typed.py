"""Typed answers for tests, without going through a file."""

from fractions import Fraction

import numpy as np

from grader.model import Answer, Cell


def cell(text):
    """A typed decimal, `-inf`, or the empty cell `_`."""
    if text == "_":
        return Cell(text, None)
    if text == "-inf":
        return Cell(text, float("-inf"))
    decimals = len(text.partition(".")[2])
    return Cell(text, Fraction(text), decimals)


def answer(name, values):
    """An answer as the worksheet reads it, from nested lists of typed texts."""
    array = np.array(values, dtype=object)
    cells = tuple(cell(str(one)) for one in array.ravel())
    if all(one.value is None for one in cells):
        return Answer(name, 1, str(values), "blank", array.shape)
    return Answer(name, 1, str(values), "read", array.shape, cells, read_as=str(values))
