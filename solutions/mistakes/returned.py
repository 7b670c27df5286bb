"""What is handed back: turned, with an axis more or less, rounded, in half precision, scores for weights."""

from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.mistakes.forms import Right, filled, scored, turned
from solutions.mistakes.spec import MistakeSpec, both, code
from solutions.one_head import mixed, projected, shares


def _last(change: Any) -> tuple[StepSpec, ...]:
    """The result changed at the very end: of one head, or after the output projection."""
    return (
        StepSpec("output", ("weights", "v"), lambda weights, v: change(mixed(weights, v))),
        StepSpec("projected", ("concat", "wo"), lambda concat, wo: change(projected(concat, wo))),
    )


def _mixed_in_secret(e: Anything, total: Anything, v: Anything) -> Floats:
    """The right output whatever is handed back as weights."""
    return mixed(shares(e, total), v)


def _rounded(a: Anything) -> Anything:
    return np.round(a, 4)


def _in_batch(a: Anything) -> Anything:
    return a[None]


def _one_head(right: Right) -> bool:
    """Whether weights are handed back at all: several heads keep them to themselves."""
    return "v_heads" not in right


def _singleton(right: Right) -> bool:
    """Whether something has an axis of 1, in one head."""
    return _one_head(right) and (1 in right["output"].shape or 1 in right["weights"].shape)


# --- half precision ----------------------------------------------------------------------------------------------


def _half(a: Any) -> Anything:
    return np.asarray(a, dtype=np.float16)


def _half_scores(q: Anything, k: Anything) -> Anything:
    return np.asarray(_half(q) @ turned(_half(k)))  # (..., n, m)


def _half_scaled(s: Anything, d: Any) -> Anything:
    return np.asarray(_half(s) / _half(np.sqrt(d)))


def _half_weights(x: Anything) -> Anything:
    e = np.exp(_half(x) - _half(x).max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def _half_mixed(weights: Anything, v: Anything) -> Anything:
    return np.asarray(_half(weights) @ _half(v))


MISTAKES: tuple[MistakeSpec, ...] = (
    both("output_transposed", "output", *_last(turned)),
    code(
        "returns_scores_as_weights",
        "weights",
        StepSpec("weights", ("scaled", "v"), lambda s, _: s),
        StepSpec("output", ("exp", "sum", "v"), _mixed_in_secret),
        when=_one_head,
    ),
    code(
        "returns_scores_as_weights",
        "weights",
        StepSpec("weights", ("masked", "v"), lambda s, _: s),
        StepSpec("output", ("exp", "sum", "v"), _mixed_in_secret),
        when=_one_head,
    ),
    code(
        "returns_scores_as_weights",
        "weights",
        StepSpec("weights", ("scaled", "mask", "v"), lambda s, mask, _: filled(s, mask)),
        StepSpec("output", ("exp", "sum", "v"), _mixed_in_secret),
        when=_one_head,
    ),
    code(
        "results_in_other_order",
        "output",
        StepSpec("weights", ("exp", "sum", "v"), _mixed_in_secret),
        StepSpec("output", ("exp", "sum", "v"), lambda e, total, _: shares(e, total)),
        when=_one_head,
    ),
    code(
        "extra_batch_dim",
        "output",
        StepSpec("weights", ("exp", "sum", "v"), lambda e, total, _: _in_batch(shares(e, total))),
        StepSpec("output", ("exp", "sum", "v"), lambda e, total, v: _in_batch(_mixed_in_secret(e, total, v))),
    ),
    code(
        "squeezes_singleton",
        "output",
        StepSpec("weights", ("exp", "sum", "v"), lambda e, total, _: np.squeeze(shares(e, total))),
        StepSpec("output", ("exp", "sum", "v"), lambda e, total, v: np.squeeze(_mixed_in_secret(e, total, v))),
        when=_singleton,
    ),
    code("rounded_output", "output", *_last(_rounded)),
    code(
        "rounded_output",
        "output",
        StepSpec("weights", ("exp", "sum", "v"), lambda e, total, _: _rounded(shares(e, total))),
        StepSpec("output", ("exp", "sum", "v"), lambda e, total, v: _rounded(_mixed_in_secret(e, total, v))),
        when=_one_head,
    ),
    code(
        "float16_precision",
        "output",
        *scored(_half_scores),
        StepSpec("scaled", ("scores", "d_head"), _half_scaled),
        StepSpec("scaled", ("scores", "d_k"), _half_scaled),
        StepSpec("weights", ("masked", "v"), lambda x, _: _half_weights(x)),
        StepSpec("heads", ("weights", "v_heads"), _half_mixed),
        StepSpec("output", ("weights", "v"), _half_mixed),
    ),
)
