"""Projecting: the wrong weight, the wrong side, twice, or not at all."""

from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.formulas import sizes
from solutions.mistakes.forms import Right
from solutions.mistakes.spec import MistakeSpec, both, code, hand
from solutions.one_head import projected

_SOURCE = {"q": "x_q", "k": "x_kv", "v": "x_kv"}


def _wrong(step: str, weight: str, run: Any = projected) -> tuple[StepSpec, StepSpec]:
    """This projection computed by `run` with `weight`, for one sequence and for two."""
    return StepSpec(step, ("x", weight), run), StepSpec(step, (_SOURCE[step], weight), run)


def _skipped(step: str) -> tuple[StepSpec, StepSpec]:
    """The input itself in place of its projection."""
    return StepSpec(step, ("x",), _itself), StepSpec(step, (_SOURCE[step],), _itself)


def _all_three(run: Any) -> tuple[StepSpec, ...]:
    return *_wrong("q", "wq", run), *_wrong("k", "wk", run), *_wrong("v", "wv", run)


def _itself(x: Anything) -> Floats:
    return np.asarray(x, dtype=np.float64)


def _out_in(x: Anything, w: Anything) -> Floats:
    """Each row of x times the rows of w, as if w were stored [out, in]."""
    out: Floats = x @ w.T
    return out


def _from_the_left(x: Anything, w: Anything) -> Floats:
    out: Floats = w @ x
    return out


def _relu(x: Anything, w: Anything) -> Floats:
    return np.maximum(projected(x, w), 0.0)


_EXCHANGED = (("wv", "wk", "wq"), ("wq", "wv", "wk"), ("wk", "wv", "wq"), ("wv", "wq", "wk"))
"""Which weights make q, k and v; that those of q and k alone are exchanged is a mistake of its own."""


def _exchanged(*weights: str) -> tuple[StepSpec, ...]:
    return tuple(
        spec for step, weight in zip("qkv", weights, strict=True) if weight[1] != step for spec in _wrong(step, weight)
    )


def _only_projected(right: Right) -> bool:
    """Whether the projections are all that is handed back: then their order may be another as well."""
    return "scores" not in right and {"q", "k", "v"} <= right.keys()


MISTAKES: tuple[MistakeSpec, ...] = (
    both(
        "weights_out_in_convention",
        "q",
        *_all_three(_out_in),
        StepSpec("stored_shape", ("wide", "narrow"), sizes),
        StepSpec("projected", ("concat", "wo"), _out_in),
        StepSpec("projected", ("output", "wo"), _out_in),
        StepSpec("product", ("row", "matrix"), _out_in),
    ),
    code("weights_out_in_convention", "q", *_all_three(_out_in), when=lambda r: "wo" in r),
    both("weights_left_multiplied", "q", *_all_three(_from_the_left)),
    both("same_projection_for_qkv", "k", *_wrong("k", "wq"), *_wrong("v", "wq")),
    both("key_uses_query_projection", "k", *_wrong("k", "wq")),
    both("query_key_projections_swapped", "q", *_wrong("q", "wk"), *_wrong("k", "wq")),
    *(code("projections_exchanged", "q", *_exchanged(*weights)) for weights in _EXCHANGED),
    code("projections_exchanged", "q", *_exchanged("wk", "wq", "wv"), when=_only_projected),
    both("value_uses_key_projection", "v", *_wrong("v", "wk")),
    hand("value_uses_query_projection", "v", *_wrong("v", "wq")),
    both("value_not_projected", "v", *_skipped("v")),
    code("value_from_projected_keys", "v", StepSpec("v", ("k", "wv"), projected)),
    both("no_projections", "q", *_skipped("q"), *_skipped("k"), *_skipped("v")),
    code("relu_on_projections", "q", *_all_three(_relu)),
)
