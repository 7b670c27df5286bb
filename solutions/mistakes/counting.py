"""Counting, variances, and reading what attention shows."""

from collections.abc import Callable
from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.mistakes.forms import Right
from solutions.mistakes.spec import MistakeSpec, hand
from solutions.one_head import softmax
from solutions.reading import share, strongest


def _biases(right: Right) -> bool:
    return "biases" in right and bool(right["biases"])


def _bias(d_model: Any, biases: Any) -> int:
    return int(d_model) if biases is not None and bool(biases) else 0


def _counted(matrices: Callable[[int], int], biases: int) -> Callable[..., int]:
    """A count from d_model: numbers of the matrices, and so many biases as long as d_model."""
    return lambda d_model, with_biases=None: matrices(int(d_model)) + biases * _bias(d_model, with_biases)


def _count(matrices: Callable[[int], int], biases: int) -> StepSpec:
    return StepSpec("count", ("d_model",), _counted(matrices, biases), optional=("biases",))


def _times(count: str) -> StepSpec:
    """Four matrices, each counted `count` times over."""
    run = lambda d, times, biases=None: 4 * (int(d) ** 2 + _bias(d, biases)) * int(times)  # noqa: E731
    return StepSpec("count", ("d_model", count), run, optional=("biases",))


def _share(d_model: Any, n_heads: Any, biases: Any = None) -> int:
    """What one head has of a matrix, with its part of the bias."""
    return (int(d_model) ** 2 + _bias(d_model, biases)) // int(n_heads)


def _of_one_head(run: Callable[..., int]) -> StepSpec:
    return StepSpec("count", ("d_model", "n_heads"), run, optional=("biases",))


def _one_head_and_wo(d_model: Any, n_heads: Any, biases: Any = None) -> int:
    """Queries, keys and values of one head, and all of Wo."""
    return 3 * _share(d_model, n_heads, biases) + _share(d_model, 1, biases)


COUNTS: tuple[MistakeSpec, ...] = (
    hand("count_forgot_wo", "count", _count(lambda d: 3 * d**2, 3)),
    hand("count_one_matrix", "count", _count(lambda d: d**2, 1)),
    hand("count_not_squared", "count", _count(lambda d: 4 * d, 4)),
    hand("count_per_head_again", "count", _times("n_heads"), when=lambda r: int(r["n_heads"]) > 1),
    *(
        hand("count_one_head", "count", form, when=lambda r: int(r["n_heads"]) > 1)
        for form in (
            StepSpec("per_matrix", ("d_model", "n_heads"), _share),
            _of_one_head(lambda d, h, biases=None: 4 * _share(d, h, biases)),
            _of_one_head(lambda d, h, biases=None: 3 * _share(d, h, biases)),
            _of_one_head(_one_head_and_wo),
        )
    ),
    hand("count_per_token_again", "count", _times("n"), when=lambda r: int(r["n"]) > 1),
    hand("count_forgot_biases", "count", _count(lambda d: 4 * d**2, 0), when=_biases),
    hand("count_one_bias", "count", _count(lambda d: 4 * d**2, 1), when=_biases),
)

VARIANCES: tuple[MistakeSpec, ...] = (
    hand(
        "variance_stays_one", "variance", StepSpec("variance", ("d_k",), lambda _: 1), when=lambda r: int(r["d_k"]) > 1
    ),
    hand(
        "variance_is_root",
        "variance",
        StepSpec("variance", ("d_k",), np.sqrt),
        when=lambda r: int(r["d_k"]) > 1,
    ),
    hand(
        "variance_is_square",
        "variance",
        StepSpec("variance", ("d_k",), lambda d: int(d) ** 2),
        when=lambda r: int(r["d_k"]) > 1,
    ),
    hand(
        "deviation_is_variance",
        "deviation",
        StepSpec("deviation", ("variance",), float),
        when=lambda r: int(r["d_k"]) > 1,
    ),
    hand(
        "variance_divided_once",
        "variance_scaled",
        StepSpec("variance_scaled", ("variance", "deviation"), lambda var, c: float(var / c)),
        StepSpec("variance_over", ("variance", "d_k"), lambda var, c: float(var / c)),
        when=lambda r: int(r["d_k"]) > 1,
    ),
)


# --- reading -----------------------------------------------------------------------------------------------------


def _one_less(run: Callable[..., Any]) -> Callable[..., Any]:
    """Read with every token one lower: counted from 1 where the question counts from 0."""
    return lambda a, *tokens: run(a, *(int(token) - 1 for token in tokens))


def _cell(s: Anything, i: Any, j: Any) -> float:
    return float(s[int(i), int(j)])


def _sum(weights: Anything, token: Any) -> float:
    return float(weights[int(token)].sum())


def _own(weights: Anything, token: Any) -> float:
    return float(weights[int(token), int(token)])


def _column(run: Callable[..., Any]) -> Callable[..., Any]:
    return lambda weights, token: run(weights.T, token)


def _tokens_from_one(right: Right) -> bool:
    return all(int(right[name]) > 0 for name in ("token", "token_i", "token_j") if name in right)


READING: tuple[MistakeSpec, ...] = (
    hand(
        "reads_column_for_row",
        "value",
        StepSpec("strongest", ("weights", "token"), _column(strongest)),
        StepSpec("share", ("weights", "token"), _column(share)),
        StepSpec("row_sum", ("weights", "token"), _column(_sum)),
        StepSpec("column_sum", ("weights", "token"), _sum),
        StepSpec("cell_row", ("token_j",), int),
        StepSpec("cell_column", ("token_i",), int),
        StepSpec("value", ("scores", "token_j", "token_i"), _cell),
        when=lambda r: "token" in r or int(r["token_i"]) != int(r["token_j"]),
    ),
    hand(
        "reads_from_one",
        "value",
        StepSpec("strongest", ("weights", "token"), _one_less(strongest)),
        StepSpec("share", ("weights", "token"), _one_less(share)),
        StepSpec("cell_row", ("token_i",), lambda i: int(i) - 1),
        StepSpec("cell_column", ("token_j",), lambda j: int(j) - 1),
        StepSpec("value", ("scores", "token_i", "token_j"), _one_less(_cell)),
        when=_tokens_from_one,
    ),
    hand(  # the right cell, told as people count
        "reads_from_one",
        "value",
        StepSpec("cell_row", ("token_i",), lambda i: int(i) + 1),
        StepSpec("cell_column", ("token_j",), lambda j: int(j) + 1),
    ),
    hand(
        "strongest_counted_from_one",
        "strongest",
        StepSpec("strongest", ("weights", "token"), lambda w, t: strongest(w, t) + 1),
        StepSpec("top_key", ("weights_low",), lambda w: int(np.argmax(w)) + 1),
    ),
    hand(
        "strongest_is_itself",
        "strongest",
        StepSpec("strongest", ("token",), int),
        StepSpec("share", ("weights", "token"), _own),
        when=lambda r: int(r["strongest"]) != int(r["token"]),
    ),
)


# --- temperature and shift ---------------------------------------------------------------------------------------


def _both_temperatures(run: Callable[[Anything, Any], Floats]) -> tuple[StepSpec, StepSpec]:
    return (
        StepSpec("weights_low", ("scores_row", "t_low"), run),
        StepSpec("weights_high", ("scores_row", "t_high"), run),
    )


def _not_one(right: Right) -> bool:
    return float(right["t_low"]) != 1 or float(right["t_high"]) != 1


def _plus_constant(weights: Anything, c: Any) -> Floats:
    return np.asarray(weights + c)


def _shift_shows(right: Right) -> bool:
    return float(right["c"]) != 0


CONTRAST: tuple[MistakeSpec, ...] = (
    hand("temperature_multiplied", "weights_low", *_both_temperatures(lambda row, t: softmax(row * t)), when=_not_one),
    hand(
        "temperature_after_softmax",
        "weights_low",
        *_both_temperatures(lambda row, t: np.asarray(softmax(row) / t)),
        when=_not_one,
    ),
    hand("temperature_ignored", "weights_low", *_both_temperatures(lambda row, _: softmax(row)), when=_not_one),
    hand(
        "shift_added_to_weights",
        "weights_shifted",
        StepSpec("weights_shifted", ("weights", "c"), _plus_constant),
        when=_shift_shows,
    ),
    hand(
        "shift_of_first_only",
        "shifted",
        StepSpec("shifted", ("row", "c"), lambda row, c: np.asarray(row + c * (np.arange(row.shape[-1]) == 0))),
        when=_shift_shows,
    ),
)

MISTAKES: tuple[MistakeSpec, ...] = COUNTS + VARIANCES + READING + CONTRAST
