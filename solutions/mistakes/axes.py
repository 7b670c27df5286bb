"""Softmax along other axes than each row: over the columns, the whole matrix, the heads."""

from collections.abc import Callable
from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.mistakes.forms import (
    Axes,
    Right,
    as_usual,
    filled,
    in_one_go,
    over,
    several_heads,
    several_rows,
    softmaxed,
    unguarded,
)
from solutions.mistakes.spec import Made, MistakeSpec, When, code
from solutions.one_head import shares


def _minus_max(axes: Axes) -> Callable[..., Floats]:
    def run(x: Anything, *_: Anything) -> Floats:
        top = x.max(axis=axes, keepdims=True, initial=-np.inf)
        return np.asarray(x - np.where(np.isneginf(top), 0.0, top))

    return run


def _sums(axes: Axes) -> Callable[..., Floats]:
    return lambda e, *_: e.sum(axis=axes, keepdims=True)


def _along(axes: Axes) -> Callable[[Anything], Floats]:
    def run(x: Anything) -> Floats:
        e = np.exp(_minus_max(axes)(x))
        return shares(e, _sums(axes)(e))

    return run


def _sum_step(axes: Axes, beside: tuple[str, ...]) -> StepSpec:
    return StepSpec("sum", ("exp", *beside), _sums(axes))


def _steps(axes: Axes, beside: tuple[str, ...]) -> tuple[StepSpec, ...]:
    """The steps of a softmax along these axes, where the names `beside` are there."""
    return StepSpec("minus_max", ("masked", *beside), _minus_max(axes)), _sum_step(axes, beside)


def _ways(
    name: str, made: Made, when: When, *along: tuple[Axes, tuple[str, ...]], alone: tuple[StepSpec, ...] = ()
) -> tuple[MistakeSpec, ...]:
    """Softmax along some axes, which differ with the names that are there; `alone` is for pipelines of one step.

    In code it also comes without a look at what is blocked, with a large negative number for -inf, and with the
    rows' own maxima taken away but the sum along the axes.
    """
    steps = tuple(step for axes, beside in along for step in _steps(axes, beside))
    blind = tuple(step for axes, beside in along for step in (*unguarded(axes, *beside), _sum_step(axes, beside)))
    sums = tuple(_sum_step(axes, beside) for axes, beside in along)
    return (
        MistakeSpec(name, "weights", made, (*steps, as_usual(), *alone), when),
        code(name, "weights", *blind, when=when),
        code(name, "weights", *steps, StepSpec("masked", ("scaled", "mask"), filled), when=when),
        code(name, "weights", *sums, StepSpec("weights", ("exp", "sum"), over), when=when),
    )


def _matrix(right: Right) -> bool:
    x = softmaxed(right)
    return x.ndim > 1 and x.size > 1


def _stacked(right: Right) -> bool:
    return softmaxed(right).ndim > 2  # noqa: PLR2004 -- axis 1 is the last of a matrix


def _some_rows(right: Right) -> bool:
    return _matrix(right) and softmaxed(right).shape[-2] > 1


def _on_the_last_axis(a: Anything) -> Floats:
    total: Floats = a.sum(axis=-1)  # (n, m) -> (n,), broadcast over columns
    return total


def _less_flat_max(x: Any) -> Floats:
    out: Floats = x - x.max(axis=-1)  # (n, m) less (n,), broadcast over columns
    return out


_ATTENTION = ("scores",)
_HEADS = ("scores", "q_heads")

MISTAKES: tuple[MistakeSpec, ...] = (
    *_ways("softmax_axis0", "both", _matrix, (-2, _ATTENTION), (0, ()), alone=in_one_go(_along(0))),
    *_ways("softmax_global", "both", several_rows, ((-2, -1), _ATTENTION), (None, ()), alone=in_one_go(_along(None))),
    code(
        "softmax_missing_keepdims",
        "weights",
        StepSpec("sum", ("exp",), _on_the_last_axis),
        as_usual(),
        *in_one_go(lambda x: shares(np.exp(x), _on_the_last_axis(np.exp(x)))),
        when=_some_rows,
    ),
    code(
        "softmax_missing_keepdims",
        "weights",
        StepSpec("minus_max", ("masked",), _less_flat_max),
        StepSpec("sum", ("exp",), _on_the_last_axis),
        when=_some_rows,
    ),
    *_ways("softmax_hardcoded_axis", "code", _stacked, (-2, _ATTENTION), (1, ()), alone=in_one_go(_along(1))),
    *_ways("softmax_over_heads", "code", several_heads, (-3, _HEADS)),
    *_ways("softmax_heads_jointly", "code", several_heads, ((-3, -1), _HEADS)),
)
