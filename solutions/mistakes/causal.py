"""The masks themselves: which triangle, with or without the diagonal, which polarity; padding off by one."""

from collections.abc import Callable
from typing import Any

import numpy as np

from solutions.checks import Anything, Bools, Floats
from solutions.contrast import StepSpec
from solutions.masks import additive, causal_mask, lower_triangle, padding_mask, stored
from solutions.masks import both as both_masks
from solutions.mistakes.forms import Right, masked_by
from solutions.mistakes.spec import MistakeSpec, When, both, code, hand

Triangle = Callable[[int, int], Bools]


def _drawn(triangle: Triangle) -> tuple[StepSpec, ...]:
    """A causal mask drawn this way: for scores, for n tokens, as one of two masks to combine."""
    return (
        StepSpec("mask", ("scores",), lambda s: triangle(*s.shape[-2:])),
        StepSpec("mask", ("n",), lambda n: triangle(int(n), int(n))),
        StepSpec("causal", ("n",), lambda n: triangle(int(n), int(n))),
    )


def _upper(n: int, m: int) -> Bools:
    return lower_triangle(m, n).T  # (n, m): keys i..


def _past_only(n: int, m: int) -> Bools:
    return np.tri(n, m, k=-1, dtype=np.bool_)  # (n, m): keys ..i-1


def _one_ahead(n: int, m: int) -> Bools:
    return np.tri(n, m, k=1, dtype=np.bool_)  # (n, m): keys ..i+1


def _blocked(n: int, m: int) -> Bools:
    return ~lower_triangle(n, m)  # (n, m): True where blocked


def _everything(n: int, m: int) -> Bools:
    return np.ones((n, m), dtype=np.bool_)


def _diagonal(n: int, m: int) -> Bools:
    return np.eye(n, m, dtype=np.bool_)


def _bottom_right(n: int, m: int) -> Bools:
    return np.tri(n, m, k=m - n, dtype=np.bool_)  # (n, m): the last query reads every key


def _floats(fill: float) -> tuple[StepSpec, ...]:
    """0 and `fill` for a mask of truths: a causal one, or one of padding."""
    return (
        StepSpec("mask", ("lengths", "m"), lambda lengths, m: np.where(padding_mask(lengths, m), 0.0, fill)),
        StepSpec("mask", ("n",), lambda n: np.where(causal_mask(n), 0.0, fill)),
    )


def _padding_numbers(lengths: Anything, m: Any) -> Floats:
    return padding_mask(lengths, m).astype(np.float64)


# --- when a mistake can show -------------------------------------------------------------------------------------


def _causal(right: Right) -> Anything | None:
    """The right causal mask; none where the mask is one of padding."""
    return right.get("causal") if "lengths" in right or "causal" in right else right["mask"]


def _other(triangle: Triangle) -> When:
    """When this triangle is not the right one at this size."""

    def when(right: Right) -> bool:
        mask = _causal(right)
        return mask is not None and not np.array_equal(triangle(*mask.shape), mask)

    return when


def _alone(right: Right) -> bool:
    return "scores" not in right


# --- padding -----------------------------------------------------------------------------------------------------


def _padded(row: Callable[[Anything, int], Bools]) -> tuple[StepSpec, ...]:
    """A padding mask made row by row this way: for a batch, or for one sequence."""
    return (
        StepSpec("mask", ("lengths", "m"), lambda lengths, m: row(lengths[:, None], int(m))),  # (B, m)
        StepSpec("padding", ("length", "n"), lambda length, n: row(length, int(n))),  # (n,)
    )


def _is_padding(length: Anything, m: int) -> Bools:
    return np.asarray(np.arange(m) >= length)


def _one_too_many(length: Anything, m: int) -> Bools:
    return np.asarray(np.arange(m) <= length)


def _one_too_few(length: Anything, m: int) -> Bools:
    return np.asarray(np.arange(m) < length - 1)


def _tokens_last(length: Anything, m: int) -> Bools:
    return np.asarray(np.arange(m) >= m - length)


def _some_padding(right: Right) -> bool:
    return not bool(right["mask" if "lengths" in right else "padding"].all())


def _turned_padding(lengths: Anything, m: Any) -> Bools:
    return padding_mask(lengths, m).T  # (m, B)


def _whole_rows_too(causal: Anything, padding: Anything) -> Bools:
    return np.asarray(both_masks(causal, padding) & padding[:, None])  # (n, n) & (n, 1)


# --- the table ---------------------------------------------------------------------------------------------------

_SHOWN: tuple[tuple[Callable[..., MistakeSpec], str, Triangle], ...] = (
    (both, "causal_upper_triangle", _upper),
    (both, "causal_excludes_self", _past_only),
    (both, "causal_leaks_next", _one_ahead),
    (both, "causal_true_means_blocked", _blocked),
    (both, "causal_all_visible", _everything),
    (both, "causal_diagonal_only", _diagonal),
    (both, "causal_top_left_vs_bottom_right", _bottom_right),
)

MISTAKES: tuple[MistakeSpec, ...] = (
    *(made(name, "mask", *_drawn(triangle), when=_other(triangle)) for made, name, triangle in _SHOWN),
    code(
        "causal_wrong_dtype",
        "mask",
        StepSpec("mask", ("lengths", "m"), _padding_numbers),
        StepSpec("mask", ("n",), np.tri),
        when=_alone,
    ),
    *(code("causal_additive_floats", "mask", *_floats(fill), when=_alone) for fill in (-np.inf, -1e9)),
    hand("additive_inverted", "additive", StepSpec("additive", ("mask",), lambda mask: additive(~mask))),
    hand(
        "blocked_with_plus_infinity",
        "masked",
        StepSpec("additive", ("mask",), lambda mask: np.where(mask, 0.0, np.inf)),
        *masked_by(lambda s, mask: np.where(mask, s, np.inf)),
    ),
    hand(
        "additive_one_for_allowed",
        "additive",
        StepSpec("additive", ("mask",), lambda mask: np.where(mask, 1.0, -np.inf)),
    ),
    hand("additive_zero_and_one", "additive", StepSpec("additive", ("mask",), lambda mask: mask.astype(np.float64))),
    hand("additive_one_for_blocked", "additive", StepSpec("additive", ("mask",), lambda mask: 1.0 - mask)),
    hand(
        "mask_polarity_swapped",
        "stored",
        StepSpec("stored", ("mask", "true_blocks"), lambda m, t: stored(~m, t)),
        StepSpec("combined", ("causal", "padding"), lambda causal, padding: ~both_masks(causal, padding)),
    ),
    both("padding_true_means_padding", "mask", *_padded(_is_padding)),
    both("padding_one_too_many", "mask", *_padded(_one_too_many), when=_some_padding),
    both("padding_one_too_few", "mask", *_padded(_one_too_few)),
    both("padding_on_the_left", "mask", *_padded(_tokens_last), when=_some_padding),
    code("padding_transposed", "mask", StepSpec("mask", ("lengths", "m"), _turned_padding)),
    both(
        "masks_combined_with_or",
        "combined",
        StepSpec("combined", ("causal", "padding"), np.logical_or),
        when=lambda right: bool((right["causal"] ^ right["padding"]).any()),
    ),
    hand(
        "padded_queries_blocked",
        "combined",
        StepSpec("combined", ("causal", "padding"), _whole_rows_too),
        when=lambda right: not bool(right["padding"].all()),
    ),
    hand(
        "combined_without_padding",
        "combined",
        StepSpec("combined", ("causal",), np.asarray),
        when=lambda right: not np.array_equal(right["causal"], right["combined"]),
    ),
    hand(
        "combined_without_causal",
        "combined",
        StepSpec("combined", ("causal", "padding"), lambda causal, padding: np.broadcast_to(padding, causal.shape)),
        when=lambda right: bool((~right["causal"] & right["padding"]).any()),
    ),
)
