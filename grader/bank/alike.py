"""Mistakes that look the same: which give the same answers at every blank, and whether that is chance.

Dividing by the number of keys or of queries is one mistake when there are as many of one as of the other: that is so
for all numbers of these sizes. Two mistakes that agree on one draw only are told apart by drawing again.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from grader.judge import compare
from grader.model import Array, Blank

_CLOSE = 2.0 - 1e-6
"""In half units of the last decimal: one typed number lies within the tolerance of two that are two half units apart;
integers one unit apart are told apart."""

Pair = tuple[str, str]
Named = tuple[str, Mapping[str, Array] | None]
"""A mistake and its trace; `None` if it does not fit the shapes."""


def pairs(blanks: Sequence[Blank], wrong: Iterable[Named]) -> frozenset[Pair]:
    """The pairs of mistakes that give the same answer at every blank, as far as rounding lets anyone see.

    One that does not fit the shapes gives no answer, so it can never be taken for another.
    """
    by_shape: dict[tuple[object, ...], list[tuple[str, Array]]] = {}
    for mistake, trace in wrong:
        answers = None if trace is None else _answers(blanks, trace)
        if answers is not None:
            by_shape.setdefault(answers[0], []).append((mistake, answers[1]))
    return frozenset(pair for rows in by_shape.values() for pair in _close(rows))


def _answers(blanks: Iterable[Blank], trace: Mapping[str, Array]) -> tuple[tuple[object, ...], Array] | None:
    """All that a mistake would type, in half units of the last decimal, with its shapes; `None` if it cannot be."""
    shapes: list[object] = []
    parts = []
    for blank in blanks:
        try:
            array = compare.expected(blank, trace)
        except (KeyError, IndexError):
            return None
        shapes.append(array.shape)
        parts.append(array.astype(float).reshape(-1) / compare.half_unit(blank.decimals))
    return tuple(shapes), np.concatenate(parts) if parts else np.zeros(0)


def _close(rows: Sequence[tuple[str, Array]]) -> Iterable[Pair]:
    values = np.nan_to_num(np.array([value for _, value in rows]), nan=1e300, posinf=1e301, neginf=-1e301)
    close = (np.abs(values[:, None] - values[None]) <= _CLOSE).all(axis=-1)  # (ways, ways)
    for first, second in np.argwhere(np.triu(close, 1)).tolist():
        one, two = sorted((rows[first][0], rows[second][0]))
        if one != two:
            yield one, two


def groups(close: Iterable[Pair]) -> tuple[tuple[str, ...], ...]:
    """The pairs joined into groups wherever they share a mistake."""
    found: list[set[str]] = []
    for pair in sorted(close):
        touched = [group for group in found if not group.isdisjoint(pair)]
        found = [group for group in found if group.isdisjoint(pair)] + [set(pair).union(*touched)]
    return tuple(sorted(tuple(sorted(group)) for group in found))
