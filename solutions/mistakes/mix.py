"""Mixing: keys for values, scores for weights, the wrong side, side by side instead of summed."""

from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.mistakes.forms import Right, mixed_by, turned
from solutions.mistakes.spec import MistakeSpec, both, code, hand
from solutions.one_head import mixed, projected


def _with(run: Any, *heads: str) -> tuple[StepSpec, ...]:
    """The mix from other arrays, each by its name in a head of several; in one head without the ending."""
    alone = tuple(name.removesuffix("_heads") for name in heads)
    return StepSpec("heads", heads, run), StepSpec("output", alone, run)


def _columns_for_rows(weights: Anything, v: Anything) -> Floats:
    return mixed(turned(weights), v)  # (m, d_v), runs only if n == m


def _rows_of_values(weights: Anything, v: Anything) -> Floats:
    return mixed(weights, turned(v))  # (n, m), runs only if d_v == m


def _side_by_side(weights: Anything, v: Anything) -> Floats:
    parts = weights[..., None] * v[..., None, :, :]  # (..., n, m, d_v)
    return np.reshape(parts, (*parts.shape[:-2], -1))  # (..., n, m * d_v)


def _averaged(weights: Anything, v: Anything) -> Floats:
    return np.asarray(mixed(weights, v) / v.shape[-2])  # (..., n, d_v)


def _plain_mean(weights: Anything, v: Anything) -> Floats:
    mean = v.mean(axis=-2, keepdims=True)  # (..., 1, d_v)
    return np.broadcast_to(mean, (*weights.shape[:-1], v.shape[-1]))  # (..., n, d_v)


def _plain_sum(weights: Anything, v: Anything) -> Floats:
    total = v.sum(axis=-2, keepdims=True)  # (..., 1, d_v)
    return np.broadcast_to(total, (*weights.shape[:-1], v.shape[-1]))  # (..., n, d_v)


def _strongest_only(weights: Anything, v: Anything) -> Floats:
    best = weights.argmax(axis=-1)  # (..., n)
    return np.take_along_axis(v, best[..., None], axis=-2)  # (..., n, d_v)


def _plus_queries(weights: Anything, v: Anything, q: Anything) -> Floats:
    out: Floats = mixed(weights, v) + q  # (..., n, d_v), runs only if d_v == d_k
    return out


def _plus_values(weights: Anything, v: Anything) -> Floats:
    out: Floats = mixed(weights, v) + v  # (..., n, d_v), runs only if n == m
    return out


def _plus_input(concat: Anything, wo: Anything, x: Anything) -> Floats:
    out: Floats = projected(concat, wo) + x  # (n, d_model)
    return out


def _several_keys(right: Right) -> bool:
    return bool(right["weights"].shape[-1] > 1)


def _something_mixed(right: Right) -> bool:
    return bool(((right["weights"] > 0).sum(axis=-1) > 1).any())


MISTAKES: tuple[MistakeSpec, ...] = (
    both("mix_keys_instead_of_values", "output", *_with(mixed, "weights", "k_heads")),
    both("mix_queries_instead_of_values", "output", *_with(mixed, "weights", "q_heads")),
    both("mix_weights_transposed", "output", *mixed_by(_columns_for_rows), when=_several_keys),
    both("mix_values_transposed", "output", *mixed_by(_rows_of_values)),
    both("mix_scores_not_weights", "output", *_with(mixed, "scaled", "v_heads")),
    code("mix_scores_not_weights", "output", *_with(mixed, "masked", "v_heads")),
    code("mix_scores_not_weights", "output", *_with(mixed, "scores", "v_heads")),
    both("mix_concatenates_values", "output", *mixed_by(_side_by_side), when=_several_keys),
    both("mix_averages", "output", *mixed_by(_averaged), when=_several_keys),
    hand("mix_plain_mean", "output", *mixed_by(_plain_mean), when=_several_keys),
    hand("mix_plain_sum", "output", *mixed_by(_plain_sum), when=_several_keys),
    hand("mix_picks_strongest", "output", *mixed_by(_strongest_only), when=_something_mixed),
    code("residual_added", "output", *_with(_plus_queries, "weights", "v_heads", "q_heads")),
    code("residual_added", "output", *mixed_by(_plus_values)),
    code("residual_added", "output", StepSpec("output", ("weights", "v", "x_q"), _plus_queries)),
    code("residual_added", "projected", StepSpec("projected", ("concat", "wo", "x"), _plus_input)),
)
