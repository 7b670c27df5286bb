"""Masking: unused, inverted, too late, too weak, turned round."""

from collections.abc import Callable

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.masks import lower_triangle
from solutions.mistakes.forms import Right, filled, masked_by, over, same, several_heads, turned, unguarded
from solutions.mistakes.spec import Made, MistakeSpec, When, both, code, hand
from solutions.one_head import masked_loosely as masked
from solutions.one_head import mixed, shares, softmax, sums

Seen = Callable[[Anything], Anything]


def _seen_as(name: str, made: Made, seen: Seen, when: When | None, *beside: str) -> tuple[MistakeSpec, ...]:
    """The mask seen as another; where that blocks a whole row, code has three ways of going on."""
    names = ("scaled", "mask", *beside)
    steps = (
        StepSpec("masked", names, lambda s, mask, *_: masked(s, seen(mask))),
        *masked_by(lambda s, m: masked(s, seen(m))),
    )
    large = StepSpec("masked", names, lambda s, mask, *_: filled(s, seen(mask)))
    kept = steps[:1] if beside else steps
    return (
        MistakeSpec(name, "masked", made, kept, when),
        code(name, "masked", *kept, *unguarded(-1, "mask"), when=when),
        code(name, "masked", large, when=when),
    )


def _zeroed(s: Anything, mask: Anything) -> Floats:
    return np.where(mask, s, 0.0)  # exp(0) = 1: it still takes weight


def _tiny(s: Anything, mask: Anything) -> Floats:
    return np.where(mask, s, -1e-9)


def _huge(s: Anything, mask: Anything) -> Floats:
    return np.where(mask, s, s + 1e9)


def _added(s: Anything, mask: Anything) -> Floats:
    out: Floats = s + mask
    return out


def _whole_rows(mask: Anything) -> Anything:
    return np.broadcast_to(mask.all(axis=-1, keepdims=True), mask.shape)  # a row with any blocked key goes


def _infinity_times_zero(s: Anything, mask: Anything) -> Floats:
    out: Floats = s + (1.0 - mask) * -np.inf  # 0 * -inf is nan
    return out


def _everything_blocked(s: Anything, _: Anything) -> Floats:
    return np.full(s.shape, -1e9)  # ~1 is -2 and ~0 is -1: both are true


def _open_keys(mask: Anything) -> Anything:
    return np.asarray(mask.any(axis=-2))  # (..., m): some query may read this key


def _without_blocked_keys(s: Anything, mask: Anything) -> Floats:
    return np.where(_open_keys(mask)[..., None, :], s, 0.0)


def _without_blocked_values(weights: Anything, v: Anything, mask: Anything) -> Floats:
    return mixed(weights, np.where(_open_keys(mask)[..., None], v, 0.0))


def _first_head(s: Anything, mask: Anything, _: Anything) -> Floats:
    return np.concatenate([masked(s[:1], mask), s[1:]])  # (H, n, n)


def _zeroed_after(e: Anything, total: Anything, mask: Anything) -> Floats:
    return np.where(mask, shares(e, total), 0.0)


def _multiplied_after(e: Anything, total: Anything, mask: Anything) -> Floats:
    return np.asarray(e / total * mask)  # nan stays nan under a blocked key


def _softmaxed_then_zeroed(x: Anything, mask: Anything) -> Floats:
    return np.where(mask, softmax(x), 0.0)


_KEPT_BLOCKED = StepSpec("after", ("scores", "mask"), lambda s, mask: _softmaxed_then_zeroed(s, ~mask))


def _over_columns(a: Anything) -> Floats:
    return shares(a, a.sum(axis=-2, keepdims=True))


def _renormalised_over_columns(e: Anything, total: Anything, mask: Anything) -> Floats:
    return _over_columns(_zeroed_after(e, total, mask))


def _causal_and(s: Anything, mask: Anything | None) -> Anything:
    triangle = lower_triangle(*s.shape[-2:])  # (n, m)
    return triangle if mask is None else triangle & mask


_CAUSAL_TOO = StepSpec("masked", ("scaled",), lambda s, mask: masked(s, _causal_and(s, mask)), ("mask",))


def _causal_after_infinite(s: Anything, mask: Anything | None) -> Floats:
    return np.where(_causal_and(s, None), masked(s, mask), -1e9)


def _causal_after_large(s: Anything, mask: Anything | None) -> Floats:
    return np.where(_causal_and(s, None), s if mask is None else filled(s, mask), -np.inf)


def _blindly_over_columns(e: Anything, total: Anything, mask: Anything) -> Floats:
    after = _zeroed_after(e, total, mask)
    return np.asarray(after / after.sum(axis=-2, keepdims=True))  # 0 / 0 is nan


# --- when a mistake can show -------------------------------------------------------------------------------------


def _some_blocked(right: Right) -> bool:
    return not bool(right["mask"].all())


def _lopsided(right: Right) -> bool:
    mask = right["mask"]
    return mask.ndim > 1 and not np.array_equal(mask, turned(mask))


def _some_key_closed(right: Right) -> bool:
    return right["mask"].ndim > 1 and not bool(_open_keys(right["mask"]).all())


def _row_keeps_some(right: Right) -> bool:
    rows = right["mask"]
    return bool((rows.any(axis=-1) & ~rows.all(axis=-1)).any())


def _some_row_closed(right: Right) -> bool:
    return bool(np.isneginf(right["masked"]).all(axis=-1).any())


def _future_open(right: Right) -> bool:
    x = right["masked"]
    future = ~np.tri(*x.shape[-2:], dtype=np.bool_)
    return bool((future & np.isfinite(x)).any())


def _masked_heads(right: Right) -> bool:
    return several_heads(right) and _some_blocked(right)


_UNMASKED = masked_by(same)


def _no_mask(right: Right) -> bool:
    return "mask" not in right


def _none_blocks(fill: float) -> StepSpec:
    """Without a mask every key is blocked; with one all is as it should be."""
    return StepSpec(
        "masked",
        ("scaled",),
        lambda s, mask: np.full_like(s, fill) if mask is None else masked(s, mask),
        ("mask",),
    )


MISTAKES: tuple[MistakeSpec, ...] = (
    both("mask_ignored", "masked", *_UNMASKED, when=_some_blocked),
    *_seen_as("mask_inverted", "both", np.logical_not, None),
    both("mask_inverted", "after", _KEPT_BLOCKED, when=_row_keeps_some),
    code("mask_inverted", "masked", *masked_by(lambda s, mask: s + np.where(mask, -1e9, 0.0))),
    both(
        "mask_after_softmax",
        "masked",
        *_UNMASKED,
        StepSpec("weights", ("exp", "sum", "mask"), _zeroed_after),
        StepSpec("weights", ("masked", "mask"), _softmaxed_then_zeroed),
        when=_row_keeps_some,
    ),
    code(
        "mask_after_softmax",
        "masked",
        *_UNMASKED,
        StepSpec("weights", ("exp", "sum", "mask"), _multiplied_after),
        when=_row_keeps_some,
    ),
    both("mask_multiplies_scores", "masked", *masked_by(_zeroed), when=_some_blocked),
    code(
        "mask_fill_nan",
        "masked",
        *masked_by(lambda s, mask: np.where(mask, s, np.nan)),
        *unguarded(-1, "mask"),
        when=_some_blocked,
    ),
    code("mask_fill_tiny", "masked", *masked_by(_tiny), when=_some_blocked),
    code("mask_added_as_bool", "masked", *masked_by(_added), when=_some_blocked),
    code("mask_sign_flipped", "masked", *masked_by(_huge), when=_some_blocked),
    code("mask_sign_flipped", "masked", *masked_by(lambda s, mask: np.where(mask, s, 1e9)), when=_some_blocked),
    *_seen_as("mask_transposed", "both", turned, _lopsided),
    *_seen_as("mask_on_queries", "code", _whole_rows, _row_keeps_some),
    code("mask_inf_times_zero", "masked", *masked_by(_infinity_times_zero)),
    code("mask_bitwise_not_on_int", "masked", *masked_by(_everything_blocked)),
    code(
        "mask_zeroes_values",
        "masked",
        *_UNMASKED,
        StepSpec("heads", ("weights", "v_heads", "mask"), _without_blocked_values),
        StepSpec("output", ("weights", "v", "mask"), _without_blocked_values),
        when=_some_key_closed,
    ),
    code(
        "mask_renormalised_wrong_axis",
        "masked",
        *_UNMASKED,
        StepSpec("weights", ("exp", "sum", "mask"), _renormalised_over_columns),
        when=_some_blocked,
    ),
    code(
        "mask_renormalised_wrong_axis",
        "masked",
        *_UNMASKED,
        StepSpec("weights", ("exp", "sum", "mask"), _blindly_over_columns),
        when=_some_blocked,
    ),
    hand("renormalised_over_columns", "renormalised", StepSpec("renormalised", ("after",), _over_columns)),
    code("mask_on_raw_inputs", "masked", *masked_by(_without_blocked_keys), when=_some_key_closed),
    code(
        "mask_not_passed_to_heads",
        "masked",
        StepSpec("masked", ("scaled", "mask", "q_heads"), same),
        when=_some_blocked,
    ),
    code(
        "mask_first_head_only",
        "masked",
        StepSpec("masked", ("scaled", "mask", "q_heads"), _first_head),
        when=_masked_heads,
    ),
    code("cross_mask_dropped", "masked", StepSpec("masked", ("scaled", "mask", "x_q"), same), when=_some_blocked),
    *_seen_as("cross_mask_transposed", "code", turned, _lopsided, "x_q"),
    code("always_causal", "masked", _CAUSAL_TOO, when=_future_open),
    code("always_causal", "masked", _CAUSAL_TOO, *unguarded(-1, "scaled"), when=_future_open),
    code(
        "always_causal",
        "masked",
        StepSpec("masked", ("scaled",), lambda s, mask: filled(s, _causal_and(s, mask)), ("mask",)),
        when=_future_open,
    ),
    *(
        code("always_causal", "masked", StepSpec("masked", ("scaled",), run, ("mask",)), when=_future_open)
        for run in (_causal_after_infinite, _causal_after_large)
    ),
    # no mask taken for one that blocks everything: np.where(None, s, ...)
    code("mask_none_blocks", "masked", _none_blocks(-np.inf), *unguarded(-1, "scaled"), when=_no_mask),
    code("mask_none_blocks", "masked", _none_blocks(-1e9), when=_no_mask),
    code("fully_masked_row_nan", "weights", StepSpec("weights", ("exp", "sum"), over), when=_some_row_closed),
    # masking before and after side by side
    hand(
        "mask_after_taken_as_before",
        "after",
        StepSpec("after", ("masked",), softmax),
        when=_some_blocked,
    ),
    hand("after_not_zeroed", "after", StepSpec("after", ("scores",), softmax), when=_some_blocked),
    hand(
        "after_sums_to_one",
        "after_sum",
        StepSpec("after_sum", ("after",), lambda a: np.ones(a.shape[:-1])),
        when=_some_blocked,
    ),
    hand("renormalised_by_softmax", "renormalised", StepSpec("renormalised", ("after",), softmax)),
    hand(
        "renormalised_by_count",
        "renormalised",
        StepSpec("renormalised", ("after", "mask"), lambda a, mask: a / sums(mask)),
    ),
)
