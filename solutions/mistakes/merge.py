"""Merging heads and projecting them: stacked, interleaved, added up; the output weights missing or turned."""

import numpy as np

from solutions.checks import Anything, Floats
from solutions.contrast import StepSpec
from solutions.heads import merge_heads
from solutions.mistakes.forms import Right, Run, same, several_heads, turned
from solutions.mistakes.spec import MistakeSpec, both, code
from solutions.one_head import projected


def _straight(heads: Anything) -> Floats:
    return np.reshape(heads, (heads.shape[1], -1))  # (H, n, d_head) -> (n, H * d_head), heads left in front


def _interleaved(heads: Anything) -> Floats:
    return np.reshape(np.moveaxis(heads, 0, 2), (heads.shape[1], -1))  # (n, d_head, H) -> (n, d_head * H)


def _stacked(heads: Anything) -> Floats:
    return np.reshape(heads, (-1, heads.shape[-1]))  # (H * n, d_head)


def _mean(heads: Anything) -> Floats:
    out: Floats = heads.mean(axis=0)  # (n, d_head)
    return out


def _sum(heads: Anything) -> Floats:
    out: Floats = heads.sum(axis=0)  # (n, d_head)
    return out


def _backwards(heads: Anything) -> Floats:
    return merge_heads(heads[::-1])


def _last_alone(heads: Anything) -> Anything:
    return np.asarray(heads[-1])  # (n, d_head)


def _first_alone(heads: Anything) -> Anything:
    return np.asarray(heads[0])  # (n, d_head)


def _turned(concat: Anything, wo: Anything) -> Floats:
    return projected(concat, turned(wo))


def _head_by_head(heads: Anything, wo: Anything) -> Floats:
    """Every head through its own rows of the output weights, the results side by side instead of added."""
    rows = np.reshape(wo, (heads.shape[0], heads.shape[2], -1))  # (H, d_head, d_model)
    return np.concatenate(heads @ rows, axis=-1)  # (H, n, d_model) -> (n, H * d_model)


def _relu(concat: Anything, wo: Anything) -> Floats:
    return np.maximum(projected(concat, wo), 0.0)


def _several_rows(right: Right) -> bool:
    return several_heads(right) and right["heads"].shape[-2] > 1


def _wide_heads(right: Right) -> bool:
    return several_heads(right) and right["heads"].shape[-1] > 1


_MIXED = ("concat", "output")


def _projecting(run: Run) -> tuple[StepSpec, ...]:
    """The output projection: of several heads, or of one."""
    return tuple(StepSpec("projected", (name, "wo"), run) for name in _MIXED)


MISTAKES: tuple[MistakeSpec, ...] = (
    both(
        "merge_reshape_no_transpose",
        "concat",
        StepSpec("concat", ("heads",), _straight),
        when=_several_rows,
    ),
    both("merge_interleaved", "concat", StepSpec("concat", ("heads",), _interleaved), when=_wide_heads),
    both("merge_concat_axis0", "concat", StepSpec("concat", ("heads",), _stacked), when=several_heads),
    both("merge_mean", "concat", StepSpec("concat", ("heads",), _mean), when=several_heads),
    both("merge_sum", "concat", StepSpec("concat", ("heads",), _sum), when=several_heads),
    both("merge_heads_backwards", "concat", StepSpec("concat", ("heads",), _backwards), when=several_heads),
    code("merge_one_head_alone", "concat", StepSpec("concat", ("heads",), _last_alone), when=several_heads),
    code("merge_one_head_alone", "concat", StepSpec("concat", ("heads",), _first_alone), when=several_heads),
    both("wo_missing", "projected", *(StepSpec("projected", (name,), same) for name in _MIXED)),
    both("wo_transposed", "projected", *_projecting(_turned)),
    code(
        "wo_per_head_then_concat",
        "projected",
        StepSpec("projected", ("heads", "wo"), _head_by_head),
        when=several_heads,
    ),
    code("relu_on_output", "projected", *_projecting(_relu)),
)
