"""Softmax: the wrong axis, no exponential, another denominator, one winner, and numbers that overflow."""

from collections.abc import Callable
from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.mistakes.forms import (
    Right,
    as_usual,
    filled,
    in_one_go,
    masked_by,
    over,
    same,
    several_keys,
    softmaxed,
    unblocked,
)
from solutions.mistakes.spec import MistakeSpec, both, code, hand
from solutions.one_head import minus_max, shares, softmax, sums

LEAST_SUM = 0.05
"""Scores that add up to less are not divided by their sum: anyone sees that nothing sensible comes out."""

LARGE = 10.0
"""Of a larger score nobody takes the exponential by hand."""

# --- other things than exp over its sum --------------------------------------------------------------------------


def _exp_of_ratio(x: Anything) -> Floats:
    return np.exp(x / sums(np.exp(x)))


def _over_own_sum(x: Anything) -> Floats:
    return shares(unblocked(x), sums(unblocked(x)))


def _over_own_sum_infinities_too(x: Anything) -> Floats:
    out: Floats = x / x.sum(axis=-1, keepdims=True)
    return out


def _has_sums(right: Right) -> bool:
    """Whether there are keys to choose from and no row adds to about nothing, by which nobody divides."""
    return several_keys(right) and bool((np.abs(sums(unblocked(softmaxed(right)))) > LEAST_SUM).all())


def _sigmoid(x: Anything) -> Floats:
    out: Floats = 1.0 / (1.0 + np.exp(-x))
    return out


def _one_more(e: Anything) -> Floats:
    return sums(e) + 1.0


def _exp_over_one_more(x: Anything) -> Floats:
    e = np.exp(x)
    return np.asarray(e / _one_more(e))


def _twice(e: Anything, total: Anything) -> Floats:
    return softmax(shares(e, total))


def _winner(x: Anything) -> Floats:
    return np.asarray(np.arange(x.shape[-1]) == x.argmax(axis=-1)[..., None], dtype=np.float64)


def _to_base_ten(z: Anything) -> Floats:
    return np.asarray(10.0**z)


def _sizes(x: Anything) -> Floats:
    """The sizes of the numbers, without their signs; what is blocked stays so."""
    return np.where(np.isneginf(x), x, np.abs(x))


def _signs_matter(right: Right) -> bool:
    """Whether leaving the signs out changes the weights."""
    x = softmaxed(right)
    return _more_than_two(right) and not np.allclose(softmax(_sizes(x)), softmax(x), rtol=0, atol=1e-3)


def _more_than_two(right: Right) -> bool:
    """Whether some row has more than two keys: the weights of two are one number, and turned over change places."""
    return bool((np.isfinite(softmaxed(right)).sum(axis=-1) > 2).any())  # noqa: PLR2004


def _undivided(e: Anything, _: Anything) -> Floats:
    return np.asarray(e)


def _lowered_exp(x: Anything) -> Floats:
    return np.asarray(np.exp(minus_max(x)))


def _max_alone_lowered(x: Anything) -> Floats:
    top = x.max(axis=-1, keepdims=True)
    return np.where((x == top) & np.isfinite(x), 0.0, x)


# --- overflow and underflow --------------------------------------------------------------------------------------


def _lowered_by(minus_max: Callable[[Anything], Anything]) -> tuple[StepSpec, ...]:
    """Something else taken away than the row's maximum, and no check of the sum."""
    return (
        StepSpec("minus_max", ("masked",), minus_max),
        StepSpec("weights", ("exp", "sum"), over),
        *in_one_go(lambda x: over(np.exp(minus_max(x)), sums(np.exp(minus_max(x))))),
    )


def _minus_largest(x: Anything) -> Floats:
    out: Floats = x - x.max()
    return out


def _minus_max_from_zero(x: Anything) -> Floats:
    out: Floats = x - x.max(axis=-1, keepdims=True, initial=0.0)
    return out


_MOST_EXP = np.log(np.finfo(np.float64).max)  # 709.78: exp overflows above
_LEAST_EXP = -745.2  # exp gives 0 below


def _overflows(right: Right) -> bool:
    top = softmaxed(right).max(axis=-1)
    return bool(((top > _MOST_EXP) | (np.isfinite(top) & (top < _LEAST_EXP))).any())


def _underflows(right: Right, top: Any) -> bool:
    return bool((softmaxed(right).max(axis=-1) - top < _LEAST_EXP).any())


# --- when a mistake can show -------------------------------------------------------------------------------------


def _is_lowered(right: Right) -> bool:
    """Whether the maximum may be taken away first: from one row, through a head, or where exp would be large."""
    x = softmaxed(right)
    return several_keys(right) and (x.ndim == 1 or "scaled" in right or float(x.max()) > LARGE)


def _is_small(right: Right) -> bool:
    return several_keys(right) and float(softmaxed(right).max()) <= LARGE


def _maxima_count(right: Right) -> bool:
    x = softmaxed(right)
    return bool((x.max(axis=-1)[(x > -np.inf).sum(axis=-1) > 1] != 0).any())


MISTAKES: tuple[MistakeSpec, ...] = (
    code(
        "softmax_exp_of_ratio",
        "weights",
        StepSpec("weights", ("minus_max",), _exp_of_ratio),
        *in_one_go(_exp_of_ratio),
        when=several_keys,
    ),
    code("softmax_exp_of_ratio", "weights", *in_one_go(_exp_of_ratio), when=several_keys),
    both(
        "linear_normalisation",
        "weights",
        StepSpec("minus_max", ("masked",), same),
        StepSpec("exp", ("minus_max",), unblocked),
        as_usual(),
        *in_one_go(_over_own_sum),
        when=_has_sums,
    ),
    code("linear_normalisation", "weights", *in_one_go(_over_own_sum_infinities_too), when=several_keys),
    code(
        "linear_normalisation",
        "weights",
        *masked_by(filled),
        *in_one_go(_over_own_sum_infinities_too),
        when=several_keys,
    ),
    hand("exp_forgotten", "exp", StepSpec("exp", ("minus_max",), unblocked), when=several_keys),
    hand(
        "exp_to_base_ten",
        "exp",
        StepSpec("exp", ("minus_max",), _to_base_ten),
        as_usual(),
        *in_one_go(lambda x: softmax(x * np.log(10.0))),
        when=several_keys,
    ),
    hand(
        "exp_sign_turned",
        "exp",
        StepSpec("exp", ("minus_max",), lambda z: np.exp(np.where(np.isneginf(z), z, -z))),
        as_usual(),
        *in_one_go(lambda x: softmax(np.where(np.isneginf(x), x, -x))),
        when=_more_than_two,
    ),
    hand(
        "exp_sign_lost",
        "exp",
        StepSpec("minus_max", ("masked",), _sizes),
        as_usual(),
        *in_one_go(lambda x: softmax(_sizes(x))),
        when=_signs_matter,
    ),
    hand(
        "exp_not_divided",
        "weights",
        StepSpec("weights", ("exp", "sum"), _undivided),
        *in_one_go(_lowered_exp),
        when=_is_lowered,
    ),
    hand("exp_not_divided", "weights", *in_one_go(np.exp), when=_is_small),
    hand(
        "max_subtracted_once", "minus_max", StepSpec("minus_max", ("masked",), _max_alone_lowered), when=_maxima_count
    ),
    both("scores_taken_as_weights", "weights", *in_one_go(unblocked)),
    code("sigmoid_instead_of_softmax", "weights", *in_one_go(_sigmoid)),
    code(
        "softmax_plus_one",
        "weights",
        StepSpec("sum", ("exp",), _one_more),
        as_usual(),
        *in_one_go(_exp_over_one_more),
    ),
    code("softmax_plus_one", "weights", *in_one_go(_exp_over_one_more)),
    code(
        "double_softmax",
        "weights",
        StepSpec("weights", ("exp", "sum"), _twice),
        *in_one_go(lambda x: softmax(softmax(x))),
        when=several_keys,
    ),
    both("hard_attention", "weights", *in_one_go(_winner), when=several_keys),
    code("softmax_no_max_subtraction", "minus_max", *_lowered_by(same), when=_overflows),
    code("softmax_no_max_subtraction", "minus_max", StepSpec("minus_max", ("masked",), same), when=_overflows),
    code(
        "softmax_global_max",
        "minus_max",
        *_lowered_by(_minus_largest),
        when=lambda r: _underflows(r, softmaxed(r).max()),
    ),
    code(
        "softmax_max_clamped_at_zero",
        "minus_max",
        *_lowered_by(_minus_max_from_zero),
        when=lambda r: _underflows(r, 0.0),
    ),
)
