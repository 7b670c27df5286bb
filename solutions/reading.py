"""Reading what attention shows: the strongest key, a cell of the scores, and what temperature or a shift does."""

from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.one_head import softmax


def strongest(weights: Anything, token: Any) -> int:
    """Which key `token` reads most; the first of equals."""
    return int(np.argmax(weights[int(token)]))


def share(weights: Anything, token: Any) -> float:
    """How much `token` reads of the key it reads most."""
    return float(np.max(weights[int(token)]))


def row_sum(weights: Anything, token: Any) -> float:
    """What the weights of `token` add to."""
    return float(np.sum(weights[int(token)]))


def column_sum(weights: Anything, token: Any) -> float:
    """How much all tokens together read of `token`: no fixed number, unlike a row's sum."""
    return float(np.sum(weights[:, int(token)]))


def cell(s: Anything, token_i: Any, token_j: Any) -> float:
    """The score of query i with key j: row i, column j."""
    return float(s[int(token_i), int(token_j)])


def at_temperature(row: Anything, t: Any) -> Floats:
    """The shares of a row of scores divided by the temperature `t`: flatter for a larger one."""
    return softmax(np.asarray(row, dtype=np.float64) / t)  # (m,)


def largest(weights: Anything) -> float:
    """The largest share."""
    return float(np.max(weights))


def shifted(row: Anything, c: Any) -> Floats:
    """The same constant added to every score of a row."""
    moved: Floats = np.asarray(row, dtype=np.float64) + c  # (m,)
    return moved
