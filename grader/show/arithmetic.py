"""The arithmetic of one cell written out: `1·2 + (−1)·1`, `2 / √2`, `e^(−1)`, and the value it comes to.

`rule` finds how a step is computed from what the trace holds; each rule writes one cell and computes it as written.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from grader.model import Array, Text, Trace
from grader.show.number import trim

Index = tuple[int, ...]

EXACT = 1e-9
BLOCKED = Text("blocked", "被屏蔽")
ALLOWED = Text("allowed", "允许")
EMPTY_ROW = Text("every key is blocked", "所有键都被屏蔽")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell's arithmetic: as text (empty if there is nothing to compute), its value, and a remark."""

    text: str
    value: float
    note: Text | None = None


Rule = Callable[[Index, int], Cell | None]


def rounded(value: float, decimals: int) -> tuple[str, bool]:
    """A number with so many decimals, fewer if that is exact, and whether it is."""
    if not np.isfinite(value):
        return {"inf": "∞", "-inf": "−∞"}.get(str(float(value)), "nan"), True
    text = f"{value:.{decimals}f}"
    exact = abs(float(text) - value) <= EXACT * max(1.0, abs(value))
    return (trim(text) if exact else text).replace("-", "−"), exact


def rule(step: str, trace: Trace) -> Rule | None:
    """How to write the cells of a step, from the arrays it needs; `None` if no rule fits what is there."""
    for write, needs in RULES.get(step, ()):
        if all(name in trace for name in needs):
            return partial(write, tuple(np.asarray(trace[name]) for name in needs))
    return None


def _number(value: float, decimals: int) -> str:
    return rounded(float(value), decimals)[0]


def _factor(value: float, decimals: int) -> str:
    """A number as a factor or an exponent: a negative one in brackets."""
    text = _number(value, decimals)
    return f"({text})" if text.startswith("−") else text


def _dot(left: Array, right: Array, decimals: int) -> Cell:
    """The sum of products of two rows of the same length."""
    terms = (f"{_factor(a, decimals)}·{_factor(b, decimals)}" for a, b in zip(left, right, strict=True))
    return Cell(" + ".join(terms), float(np.dot(left, right)))


def _outer(array: Array, index: Index) -> Array:
    """The matrix of an array that this cell belongs to: leading dimensions are the heads or the batch."""
    matrix: Array = array[index[: array.ndim - 2]] if array.ndim > 2 else array  # noqa: PLR2004 -- a matrix has two
    return matrix


def _product(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    """Row times column; the left side may be one row."""
    left, right = _outer(needs[0], index), _outer(needs[1], index)
    row = left if left.ndim == 1 else left[index[-2]] if len(index) > 1 else None
    if row is None or right.ndim != 2 or row.shape[0] != right.shape[0]:  # noqa: PLR2004 -- a matrix
        return None
    return _dot(row, right[:, index[-1]], decimals)


def _transposed(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    """Row times row: a product with a transpose."""
    left, right = _outer(needs[0], index), _outer(needs[1], index)
    if left.ndim != 2 or right.ndim != 2 or left.shape[1] != right.shape[1]:  # noqa: PLR2004 -- matrices
        return None
    return _dot(left[index[-2]], right[index[-1]], decimals)


def _root(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    """Divided by the root of a size."""
    array, size = needs
    return Cell(f"{_number(array[index], decimals)} / √{int(size)}", float(array[index] / np.sqrt(size)))


def _mask(needs: tuple[Array, ...], index: Index, _decimals: int) -> Cell | None:
    """Kept where it may attend, minus infinity where not."""
    array, mask = needs
    if not np.broadcast_to(mask, array.shape)[index]:
        return Cell("", -np.inf, BLOCKED)
    return Cell("", float(array[index]), ALLOWED)


def _minus_max(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    """Less the largest entry of its row."""
    row = needs[0][index[:-1]]
    largest = float(np.max(row))
    if not np.isfinite(largest):
        return None
    text = f"{_number(row[index[-1]], decimals)} − {_factor(largest, decimals)}"
    return Cell(text, float(row[index[-1]]) - largest)


def _exp(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    value = float(needs[0][index])
    return Cell(f"e^{_factor(value, decimals)}", float(np.exp(value)))


def _sum(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    """The sum of a row, kept as a column or not."""
    array = needs[0]
    row = array[index if len(index) == array.ndim - 1 else index[:-1]]
    return Cell(" + ".join(_factor(value, decimals) for value in row), float(np.sum(row)))


def _divide(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    """A cell divided by its row's sum."""
    array, sums = needs
    total = float(sums[index[:-1]] if sums.ndim == array.ndim - 1 else np.broadcast_to(sums, array.shape)[index])
    if total == 0:
        return Cell("", 0.0, EMPTY_ROW)
    return Cell(f"{_number(array[index], decimals)} / {_factor(total, decimals)}", float(array[index]) / total)


def _softmax(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    """A power of e among those of its row; a temperature divides the row first."""
    row, *temperature = needs[0][index[:-1]], *needs[1:]
    row = row / temperature[0] if temperature else row
    if not np.any(np.isfinite(row)):
        return Cell("", 0.0, EMPTY_ROW)
    powers = [f"e^{_factor(value, decimals)}" if np.isfinite(value) else "0" for value in row]
    shares = np.exp(row - np.max(row))
    return Cell(f"{powers[index[-1]]} / ({' + '.join(powers)})", float(shares[index[-1]] / np.sum(shares)))


def _zeroed(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    """A softmax that is set to zero afterwards where the key is blocked."""
    array, mask = needs
    if not np.broadcast_to(mask, array.shape)[index]:
        return Cell("", 0.0, BLOCKED)
    return _softmax((array,), index, decimals)


def _times(needs: tuple[Array, ...], _index: Index, decimals: int) -> Cell | None:
    one, other = map(float, needs)
    return Cell(f"{_factor(one, decimals)}·{_factor(other, decimals)}", one * other)


def _quotient(needs: tuple[Array, ...], _index: Index, decimals: int) -> Cell | None:
    one, other = map(float, needs)
    return Cell(f"{_number(one, decimals)} / {_factor(other, decimals)}", one / other) if other else None


def _root_alone(needs: tuple[Array, ...], _index: Index, _decimals: int) -> Cell | None:
    return Cell(f"√{int(needs[0])}", float(np.sqrt(needs[0])))


def _last_column(needs: tuple[Array, ...], _index: Index, _decimals: int) -> Cell | None:
    head, width = map(int, needs)
    return Cell(f"({head} + 1)·{width} − 1", (head + 1) * width - 1)


def _square(needs: tuple[Array, ...], _index: Index, _decimals: int) -> Cell | None:
    side = int(needs[0])
    return Cell(f"{side}·{side}", float(side * side))


def _plus(needs: tuple[Array, ...], index: Index, decimals: int) -> Cell | None:
    array, more = needs
    text = f"{_number(array[index], decimals)} + {_factor(float(more), decimals)}"
    return Cell(text, float(array[index] + more))


_Way = tuple[Callable[[tuple[Array, ...], Index, int], Cell | None], tuple[str, ...]]


def _ways(write: Callable[[tuple[Array, ...], Index, int], Cell | None], *needs: Iterable[str]) -> tuple[_Way, ...]:
    return tuple((write, tuple(names)) for names in needs)


RULES: Mapping[str, tuple[_Way, ...]] = {
    "q": _ways(_product, ("x_q", "wq"), ("x", "wq")),
    "k": _ways(_product, ("x_kv", "wk"), ("x", "wk")),
    "v": _ways(_product, ("x_kv", "wv"), ("x", "wv")),
    "scores": _ways(_transposed, ("q_heads", "k_heads"), ("q", "k")),
    "scaled": _ways(_root, ("scores", "d_head"), ("scores", "d_k")),
    "masked": _ways(_mask, ("scaled", "mask"), ("scores", "mask")),
    "minus_max": _ways(_minus_max, ("masked",), ("scaled",)),
    "exp": _ways(_exp, ("minus_max",)),
    "sum": _ways(_sum, ("exp",)),
    "weights": (*_ways(_divide, ("exp", "sum")), *_ways(_softmax, ("masked",), ("row",))),
    "output": _ways(_product, ("weights", "v")),
    "heads": _ways(_product, ("weights", "v_heads")),
    "projected": _ways(_product, ("concat", "wo"), ("output", "wo")),
    "product": _ways(_product, ("row", "matrix")),
    "after_sum": _ways(_sum, ("after",)),
    "renormalised": _ways(_divide, ("after", "after_sum")),
    "shifted": _ways(_plus, ("row", "c")),
    "after": _ways(_zeroed, ("scores", "mask")),
    "weights_shifted": _ways(_softmax, ("shifted",)),
    "weights_low": _ways(_softmax, ("scores_row", "t_low")),
    "weights_high": _ways(_softmax, ("scores_row", "t_high")),
    "divisor": _ways(_root_alone, ("d_k",)),
    "d_head": _ways(_quotient, ("d_model", "n_heads")),
    "concat_width": _ways(_times, ("n_heads", "d_head")),
    "first_column": _ways(_times, ("head", "d_head")),
    "last_column": _ways(_last_column, ("head", "d_head")),
    "per_matrix": _ways(_square, ("d_model",)),
    "per_head": _ways(_times, ("d_model", "d_head")),
}
"""Step name -> the ways it can be computed, the most special first; the first whose needs are there is taken."""
