"""Scaling: no divisor, or another one than sqrt(d_k)."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.mistakes.spec import MistakeSpec, When, both, code, hand
from solutions.one_head import shares


def _width(right: Any) -> float:
    """The width that the scores should be scaled by: of one head."""
    return float(right["d_head"] if "d_head" in right else right["d_k"])


def _other_than(divisor: Callable[[Any], Any]) -> When:
    """When this divisor, of the right trace, is not the right one by coincidence of sizes."""
    return lambda right: not math.isclose(divisor(right), math.sqrt(_width(right)), rel_tol=1e-5)


def _over(divisor: Callable[[Any], Any]) -> tuple[StepSpec, ...]:
    """Scores over a divisor made of the right width; the divisor itself."""

    def run(s: Anything, d: Any) -> Floats:
        return np.asarray(s / divisor(d))

    return (
        StepSpec("scaled", ("scores", "d_head"), run),
        StepSpec("scaled", ("scores", "d_k"), run),
        StepSpec("divisor", ("d_k",), divisor),
    )


def _unscaled(s: Anything) -> Floats:
    return np.asarray(s, dtype=np.float64)


def _shares_over_root(e: Anything, total: Anything, d: Any) -> Floats:
    return np.asarray(shares(e, total) / np.sqrt(d))


def _over_root_of_axis(axis: int) -> Callable[[Anything], Floats]:
    """Scores over the root of their own length along an axis."""
    return lambda s: s / np.sqrt(s.shape[axis])


def _over_root(s: Anything, d: Any) -> Floats:
    out: Floats = s / np.sqrt(d)
    return out


def _over_root_of_width(s: Anything, *wider: Anything) -> Floats:
    """Scores over the root of the last array's width."""
    return _over_root(s, wider[-1].shape[-1])


def _model_width(right: Any) -> int:
    if "q_heads" in right and "q" in right:
        return int(right["q"].shape[-1])
    return int(right["x"].shape[-1] if "x" in right else right["d_model"])


def _axis_is_no_width(axis: int, size: str) -> When:
    """When the scores' length along an axis (or the size, where there are no scores) is not the width, nor 1."""

    def when(right: Any) -> bool:
        if "scores" not in right:
            return int(right[size]) != int(right["d_k"])
        shape = right["scores"].shape
        return bool(len(shape) >= -axis and shape[axis] not in {1, _width(right)})

    return when


MISTAKES: tuple[MistakeSpec, ...] = (
    both("scale_missing", "scaled", StepSpec("scaled", ("scores",), _unscaled), when=_other_than(lambda _: 1)),
    both("scale_dk_not_sqrt", "scaled", *_over(float), when=_other_than(_width)),
    code("scale_half_dk_precedence", "scaled", *_over(lambda d: d / 2), when=_other_than(lambda r: _width(r) / 2)),
    both("scale_multiplied", "scaled", *_over(lambda d: 1 / np.sqrt(d))[:2], when=_other_than(lambda _: 1)),
    both(
        "scale_after_softmax",
        "scaled",
        StepSpec("scaled", ("scores",), _unscaled),
        StepSpec("weights", ("exp", "sum", "d_head"), _shares_over_root),
        StepSpec("weights", ("exp", "sum", "d_k"), _shares_over_root),
        when=_other_than(lambda _: 1),
    ),
    code("scale_twice", "scaled", *_over(lambda d: np.sqrt(d) * np.sqrt(d))[:2], when=_other_than(_width)),
    code(
        "scale_fourth_root_once",
        "scaled",
        *_over(lambda d: d**0.25)[:2],
        when=_other_than(lambda r: _width(r) ** 0.25),
    ),
    both(
        "scale_by_num_keys",
        "scaled",
        StepSpec("scaled", ("scores",), _over_root_of_axis(-1)),
        StepSpec("divisor", ("m",), np.sqrt),
        when=_axis_is_no_width(-1, "m"),
    ),
    both(
        "scale_by_num_queries",
        "scaled",
        StepSpec("scaled", ("scores",), _over_root_of_axis(-2)),
        StepSpec("divisor", ("n",), np.sqrt),
        when=_axis_is_no_width(-2, "n"),
    ),
    code(
        "scale_integer_sqrt",
        "scaled",
        *_over(lambda d: int(np.sqrt(d))),
        when=_other_than(lambda r: int(np.sqrt(_width(r)))),
    ),
    both(
        "scale_by_d_model",
        "scaled",
        StepSpec("scaled", ("scores", "q_heads", "q"), _over_root_of_width),
        StepSpec("scaled", ("scores", "x"), _over_root_of_width),
        StepSpec("scaled", ("scores", "d_model"), _over_root),
        StepSpec("divisor", ("d_model",), np.sqrt),
        when=lambda r: _model_width(r) != _width(r),
    ),
    both(
        "scale_by_n_heads",
        "scaled",
        StepSpec("scaled", ("scores", "n_heads"), _over_root),
        StepSpec("divisor", ("n_heads",), np.sqrt),
        when=lambda r: int(r["n_heads"]) != _width(r),
    ),
    code(
        "scale_by_input_dim",
        "scaled",
        StepSpec("scaled", ("scores", "x_q"), _over_root_of_width),
        when=lambda r: r["x_q"].shape[-1] != _width(r),
    ),
    hand("scale_fixed_eight", "scaled", *_over(lambda _: 8.0), when=_other_than(lambda _: 8)),
)
