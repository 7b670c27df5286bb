"""Splitting into heads: cut along the wrong axis, interleaved, or not cut at all."""

from typing import Any

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.heads import split_heads
from solutions.mistakes.forms import Right, several_heads
from solutions.mistakes.spec import MistakeSpec, both, code
from solutions.one_head import mixed


def _cut(run: Any) -> tuple[StepSpec, ...]:
    """Queries, keys and values cut by `run`, or the one matrix that is cut; head outputs as usual."""
    return (
        StepSpec("q_heads", ("q", "n_heads"), run),
        StepSpec("k_heads", ("k", "n_heads"), run),
        StepSpec("v_heads", ("v", "n_heads"), run),
        StepSpec("heads", ("weights", "v_heads"), mixed),
        StepSpec("heads", ("x", "n_heads"), run),
    )


def _straight(x: Anything, n_heads: Any) -> Floats:
    n, d_model = x.shape
    return np.reshape(x, (int(n_heads), n, d_model // int(n_heads)))  # (H, n, d_head), tokens cut up


def _interleaved(x: Anything, n_heads: Any) -> Floats:
    n, d_model = x.shape
    by_place = np.reshape(x, (n, d_model // int(n_heads), int(n_heads)))  # (n, d_head, H)
    return np.transpose(by_place, (2, 0, 1))  # (H, n, d_head)


def _head_axis_in_the_middle(x: Anything, n_heads: Any) -> Floats:
    return np.swapaxes(split_heads(x, n_heads), 0, 1)  # (n, H, d_head)


def _columns_first(x: Anything, n_heads: Any) -> Floats:
    return np.swapaxes(split_heads(x, n_heads), 1, 2)  # (H, d_head, n)


def _rows(x: Anything, n_heads: Any) -> Floats:
    n, d_model = x.shape
    return np.reshape(x, (int(n_heads), n // int(n_heads), d_model))  # (H, n / H, d_model), runs if H divides n


def _copies(x: Anything, n_heads: Any) -> Floats:
    return np.stack([x] * int(n_heads))  # (H, n, d_model)


def _first_block(x: Anything, n_heads: Any) -> Floats:
    """Every head gets the columns of the first one."""
    return np.stack([x[:, : x.shape[1] // int(n_heads)]] * int(n_heads))  # (H, n, d_head)


def _straight_back(heads: Anything, _: Anything) -> Floats:
    return np.reshape(heads, (heads.shape[1], -1))  # (H, n, d_head) -> (n, H * d_head)


def _rows_back(heads: Anything, _: Anything) -> Floats:
    return np.reshape(heads, (heads.shape[0], -1))  # (n, H, d_head) -> (n, H * d_head)


def _every_other_column(q: Anything, head: Any, d_head: Any) -> Anything:
    return q[..., int(head) :: q.shape[-1] // int(d_head)]  # (n, d_head)


def _some_rows(q: Anything, head: Any, d_head: Any) -> Anything:
    height = q.shape[-2] * int(d_head) // q.shape[-1]
    return q[..., int(head) * height : (int(head) + 1) * height, :]  # (n / H, d_model)


def _several_heads(right: Right) -> bool:
    return several_heads(right) and int(right.get("d_head", 2)) > 1


def _several_tokens(right: Right) -> bool:
    cut = right["q"] if "q" in right else right["x"]
    return several_heads(right) and cut.shape[-2] > 1


MISTAKES: tuple[MistakeSpec, ...] = (
    both(
        "split_reshape_no_transpose",
        "heads",
        *_cut(_straight),
        StepSpec("concat", ("heads", "q_heads"), _straight_back),
        when=_several_tokens,
    ),
    both("split_reshape_no_transpose", "heads", *_cut(_straight), when=_several_tokens),
    both(
        "split_interleaved",
        "heads",
        *_cut(_interleaved),
        StepSpec("first_column", ("head",), int),
        StepSpec("last_column", ("head", "d_head", "n_heads"), lambda h, d, n: int(h + (d - 1) * n)),
        StepSpec("head_slice", ("q", "head", "d_head"), _every_other_column),
        when=_several_heads,
    ),
    code(
        "split_missing_head_axis_first",
        "heads",
        *_cut(_head_axis_in_the_middle),
        StepSpec("concat", ("heads", "q_heads"), _rows_back),
        when=several_heads,
    ),
    code("split_last_axes_swapped", "heads", *_cut(_columns_first)),
    both(
        "split_rows_not_columns",
        "heads",
        *_cut(_rows),
        StepSpec("head_slice", ("q", "head", "d_head"), _some_rows),
        when=several_heads,
    ),
    both("split_copies_input", "heads", *_cut(_copies), when=several_heads),
    code("split_same_columns", "heads", *_cut(_first_block), when=several_heads),
    *(
        code(
            "split_same_columns", "heads", StepSpec(f"{one}_heads", (one, "n_heads"), _first_block), when=several_heads
        )
        for one in ("q", "k", "v")
    ),
)
